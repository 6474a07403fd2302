/** The releases and what they changed for callers of the API, from CHANGELOG.md in the form of Keep a Changelog. */
import changelog from "../../../CHANGELOG.md" with { type: "text" };

export interface ApiRelease {
  version: string;
  /** Undefined for changes that are not released yet. */
  date?: string;
  /** Changes by heading, like `API`. */
  changes: { kind: string; items: string[] }[];
}

export const RELEASES: readonly ApiRelease[] = releasesIn(changelog);

/** @param text sections `## [version] - date`, in them `### heading` with a list. Other headings are for owners. */
export function releasesIn(text: string): ApiRelease[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [title = "", ...kinds] = part.split(/^### /m);
      const [, version = "", date] = /^\[([^\]]+)\](?: - (\S+))?/.exec(title) ?? [];
      const changes = kinds.map(changesIn).filter(({ kind }) => kind.startsWith("API"));
      return { version, ...(date && { date }), changes };
    });
}

function changesIn(text: string): ApiRelease["changes"][number] {
  const [kind = "", ...items] = text.split(/^(?:- |\n(?=\S))/m);
  return {
    kind: kind.trim(),
    // Links of the file lead to files beside it.
    items: items
      .map((item) =>
        item
          .replace(/\s+/g, " ")
          .trim()
          .replace(/\[([^[\]]+)\]\([^()]*\)/g, "$1"),
      )
      .filter(Boolean),
  };
}
