/** Mistakes in the YAML itself, in the owner's words. */
import { type Document, visit, type YAMLError } from "yaml";

/** A fault with its offset in the text. */
export interface TextFault {
  offset: number;
  message: string;
}

const BAD_ALIAS = "this alias (*name) points to nothing; put text that begins with * in quotes";
const MESSAGES: Partial<Record<YAMLError["code"], string>> = {
  DUPLICATE_KEY: "this key stands twice in the same group; keep one of them",
  TAB_AS_INDENT: "this line is indented with a tab; use spaces",
  BAD_INDENT: "this line is indented differently from its neighbours; line them up with spaces",
  MISSING_CHAR: "a character is missing here: a closing quote, bracket, brace, colon or comma",
  BAD_ALIAS,
  BAD_SCALAR_START: "text that begins with this character must be in quotes",
  MULTIPLE_DOCS: "a line of --- begins a second file here; remove that line",
  MULTILINE_IMPLICIT_KEY: "this line is not `key: value`; a colon may be missing, or a bracket was not closed above",
};

export function yamlFaults(document: Document): TextFault[] {
  return [...syntaxFaults(document.errors), ...danglingAliases(document)];
}

/** A tab causes further errors below it. In a file with tabs, only tabs and duplicate keys are reported. */
function syntaxFaults(errors: readonly YAMLError[]): TextFault[] {
  const hasTabs = errors.some(({ code }) => code === "TAB_AS_INDENT");
  return errors
    .filter(({ code }) => !hasTabs || code === "TAB_AS_INDENT" || code === "DUPLICATE_KEY")
    .map((error) => ({ offset: error.pos[0], message: messageOf(error) }));
}

function messageOf(error: YAMLError): string {
  if (error.code === "BAD_INDENT" && error.message.includes("Flow")) {
    return "a bracket [ or brace { that was opened above is not closed";
  }
  return MESSAGES[error.code] ?? `the file cannot be read here: ${error.message.replace(/\.$/, "")}`;
}

/** Finds aliases without an anchor, which the parser accepts. */
function danglingAliases(document: Document): TextFault[] {
  const dangling: TextFault[] = [];
  visit(document, {
    Alias(_key, alias) {
      if (!alias.resolve(document)) dangling.push({ offset: alias.range?.[0] ?? 0, message: BAD_ALIAS });
    },
  });
  return dangling;
}
