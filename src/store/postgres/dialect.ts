/** Translates the statements of `src/store/queries`, which are written for SQLite. */

const translated = new Map<string, string>();

export function toPostgres(text: string): string {
  const known = translated.get(text);
  if (known !== undefined) return known;
  const made = translate(text);
  translated.set(text, made);
  return made;
}

function translate(text: string): string {
  let next = 0;
  return (
    text
      .replace(/\?(\d*)/g, (_, place: string) => `$${place === "" ? ++next : place}`)
      // The planner of PostgreSQL chooses the index.
      .replace(/ INDEXED BY \w+/g, "")
      // Through text, because the driver would encode a value for a JSON parameter once more.
      .replace(/json_each\((\$\d+)\)/g, "json_array_elements_text(CAST(CAST($1 AS text) AS json))")
      .replaceAll("unixepoch('subsec')", "extract(epoch FROM clock_timestamp())")
      // Names without quotes lose their capitals.
      .replace(/ AS ([a-z]+[A-Z]\w*)/g, ' AS "$1"')
      // Patterns for customers are regular expressions between two asterisks.
      .replace(/ GLOB (\$\d+)/g, " ~ trim(both '*' from $1)")
  );
}
