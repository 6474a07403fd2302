/** Takes one save of a text back and keeps what later saves changed: a merge of three texts, piece by piece. */

/** The pieces [from, to) of a text, and what is in their place. */
interface Change {
  from: number;
  to: number;
  pieces: readonly string[];
}

/** Values of a row in one line are pieces of their own. */
function mergePieces(text: string): string[] {
  return text.split(/(?<=[\n,])/);
}

/** @returns null where a later save changed the same place */
export function withoutSave(before: string, after: string, now: string): string | null {
  const base = mergePieces(after);
  const wanted = lineChanges(base, mergePieces(before));
  const later = lineChanges(base, mergePieces(now));
  const meets = (one: Change, other: Change) =>
    (one.from < other.to && other.from < one.to) || (one.from === other.from && one.to === other.to);
  if (wanted.some((one) => later.some((other) => meets(one, other)))) return null;
  const pieces = [...base];
  for (const { from, to, pieces: instead } of [...wanted, ...later].sort((a, b) => b.from - a.from || b.to - a.to))
    pieces.splice(from, to - from, ...instead);
  return pieces.join("");
}

/** By the longest common run of pieces between what both texts begin and end with. */
function lineChanges(old: readonly string[], now: readonly string[]): Change[] {
  let start = 0;
  while (start < old.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const [rows, columns] = [old.length - start - end, now.length - start - end];
  const width = columns + 1;
  const common = new Uint16Array((rows + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--)
      common[i * width + j] =
        old[start + i] === now[start + j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const changes: Change[] = [];
  for (let i = 0, j = 0; i < rows || j < columns; ) {
    if (i < rows && j < columns && old[start + i] === now[start + j]) {
      i++;
      j++;
      continue;
    }
    const [fromOld, fromNow] = [i, j];
    while ((i < rows || j < columns) && !(i < rows && j < columns && old[start + i] === now[start + j]))
      if (j >= columns || (i < rows && at(i + 1, j) >= at(i, j + 1))) i++;
      else j++;
    changes.push({ from: start + fromOld, to: start + i, pieces: now.slice(start + fromNow, start + j) });
  }
  return changes;
}
