/** The releases and what they changed for callers of the API, from CHANGELOG.md in the form of Keep a Changelog. */
import changelog from "../../../CHANGELOG.md" with { type: "text" };

export const RELEASES = releasesIn(changelog);

/** @param text sections `## [version] - date`, in them `### API`. Other headings are for owners. */
export function releasesIn(text: string) {
  const [, ...parts] = text.split(/^## /m);
  return parts.map((part) => {
    const [title = "", ...kinds] = part.split(/^(?=### )/m);
    // One that is not released yet has no date.
    const [, version = "", date] = /^\[([^\]]+)\](?: - (\S+))?/.exec(title) ?? [];
    const changes = kinds.filter((kind) => kind.startsWith("### API")).join("");
    // Links of the file lead to files beside it.
    return { version, date, changes: changes.replace(/\[([^[\]]+)\]\([^()]*\)/g, "$1").trim() };
  });
}
