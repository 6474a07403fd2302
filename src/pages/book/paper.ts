/** `/book/receipt/…`: a quote or receipt to print, for whoever has its signed link. */
import { PAPER_STYLE, paperBy, paperHtml } from "../../capabilities/desk/paper.ts";
import { noSuchPath } from "../../http/not-found.ts";
import type { PageAnswer, Visit } from "../../http/pages.ts";
import { inlineSource, pagePolicy } from "../markup/page.ts";

/** @throws ApiError NOT_FOUND for a link that is broken, made up, or another shop's */
export async function showPaper({ fields: { token = "" }, ctx }: Visit): Promise<PageAnswer> {
  const paper = await paperBy(token, ctx);
  if (!paper) throw noSuchPath();
  const headers = { ...pagePolicy({ "style-src": inlineSource(PAPER_STYLE) }), "X-Robots-Tag": "noindex" };
  return { status: 200, body: paperHtml(paper), headers };
}
