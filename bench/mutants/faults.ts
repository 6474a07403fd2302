/** Small faults that could be made in a source file: each changes one place of its syntax tree. */
import ts from "typescript-5";

export interface Fault {
  file: string;
  /** From 1. Only for the reader: lines shift, so nothing is looked up by line. */
  line: number;
  start: number;
  end: number;
  replacement: string;
  /** The changed lines before and after; with the file the key of `equivalent.ts`. */
  change: string;
  /** Position of the innermost block or function around it, as `blocksOf` lists them; -1 for the module itself. */
  block: number;
}

/** Operators that take each other's place. */
const PAIRS = ["< <=", "> >=", "=== !==", "&& ||", "+ -", "* /", "+= -="].map((pair) => pair.split(" "));
const SWAPPED = new Map(
  PAIRS.flatMap(([a = "", b = ""]) => [
    [a, b],
    [b, a],
  ]),
);
const PREDICATES = new Set(["filter", "find", "findIndex", "findLast", "some", "every"]);
/** Log lines are left out, because tests name only the few that matter. */
const LOGGED = /^(await )?(\w+\.)*log\??\.(debug|info|warn)\(/;

/** A larger number is a length of time or a size: it goes wrong by a factor, not by one. */
const LARGEST_EXACT = 100;
/** Examples in documents: any other value would do as well. */
const EXAMPLES = new Set(["example", "sample"]);

export function parse(file: string, text: string): ts.SourceFile {
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true, kind);
}

/** Code that runs as a unit: bodies of functions, and blocks of statements. */
export function blocksOf(source: ts.SourceFile): (ts.Block | ts.Expression)[] {
  const found: (ts.Block | ts.Expression)[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isBlock(node) || (ts.isArrowFunction(node.parent) && node.parent.body === node))
      found.push(node as ts.Block | ts.Expression);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return found;
}

export function faultsIn(file: string, text: string): Fault[] {
  const source = parse(file, text);
  const blocks = blocksOf(source);
  const found: Fault[] = [];
  const add = (node: { getStart: () => number; end: number }, replacement: string) => {
    found.push(faultAt(source, blocks, node.getStart(), node.end, replacement));
  };
  const visit = (node: ts.Node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    for (const [place, replacement] of changesOf(node)) add(place, replacement);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The fault that replaces one part of a file. */
export function faultAt(
  source: ts.SourceFile,
  blocks: readonly ts.Node[],
  start: number,
  end: number,
  replacement: string,
): Fault {
  const { text } = source;
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const to = text.indexOf("\n", end) === -1 ? text.length : text.indexOf("\n", end);
  const short = (lines: string) => lines.replace(/\s+/g, " ").trim();
  const before = short(text.slice(from, to));
  const after = short(text.slice(from, start) + replacement + text.slice(end, to));
  const around = (node: ts.Node) => node.getStart() <= start && end <= node.end;
  return {
    file: source.fileName,
    line: source.getLineAndCharacterOfPosition(start).line + 1,
    start,
    end,
    replacement,
    change: `${before} ⇒ ${after}`,
    // Later blocks lie inside earlier ones.
    block: blocks.findLastIndex(around),
  };
}

type Change = [place: ts.Node, replacement: string];

function changesOf(node: ts.Node): Change[] {
  if (ts.isBinaryExpression(node)) return ofBinary(node);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return [[node, node.operand.getText()]];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [[node, "false"]];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [[node, "true"]];
  if (ts.isNumericLiteral(node)) {
    const value = Number(node.text);
    const others = value > LARGEST_EXACT ? [value * 10, value / 10] : value > 0 ? [value + 1, value - 1] : [1];
    return isExample(node) ? [] : others.map((other): Change => [node, String(other)]);
  }
  if (ts.isAwaitExpression(node)) return [[node, node.expression.getText()]];
  if (ts.isExpressionStatement(node)) {
    const call = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
    return ts.isCallExpression(call) && !LOGGED.test(node.getText()) ? [[node, ";"]] : [];
  }
  if (ts.isConditionalExpression(node))
    return [[node, `${node.condition.getText()} ? ${node.whenFalse.getText()} : ${node.whenTrue.getText()}`]];
  if (ts.isSpreadAssignment(node) && ts.isParenthesizedExpression(node.expression)) return [[node, "...{}"]];
  if (ts.isSpreadElement(node) && ts.isParenthesizedExpression(node.expression)) return [[node, "...[]"]];
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const [predicate] = node.arguments;
    if (PREDICATES.has(node.expression.name.text) && predicate && ts.isArrowFunction(predicate))
      return ts.isBlock(predicate.body) ? [] : [[predicate.body, `!(${predicate.body.getText()})`]];
  }
  return [];
}

function ofBinary({ left, operatorToken, right }: ts.BinaryExpression): Change[] {
  if (operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) return [[left.parent, left.getText()]];
  const isText = (side: ts.Node): boolean =>
    ts.isStringLiteralLike(side) ||
    ts.isTemplateExpression(side) ||
    (ts.isBinaryExpression(side) && (isText(side.left) || isText(side.right)));
  const swapped = SWAPPED.get(operatorToken.getText());
  return swapped && !(/^[+-]/.test(swapped) && (isText(left) || isText(right))) ? [[operatorToken, swapped]] : [];
}

function isExample(node: ts.Node): boolean {
  if (ts.isPropertyAssignment(node) && EXAMPLES.has(node.name.getText())) return true;
  return node.parent !== undefined && isExample(node.parent);
}
