import { derived } from "../../../../catalog/derived.ts";
import { sheet } from "../../../style/sheet.ts";
import bar from "./bar.css" with { type: "text" };
import code from "./code.css" with { type: "text" };
import forms from "./forms.css" with { type: "text" };
import screens from "./screens.css" with { type: "text" };
import words from "./text.css" with { type: "text" };

/** The style of the pages of the documentation. The last sheet changes the others for wider screens. */
export const docsStyle = derived((catalog) => sheet(catalog, bar, words, code, forms, screens));
