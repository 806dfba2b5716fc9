/** A value of a held action's preview, with its name unless it is an item of a list. */
export interface PreviewNode {
  name: string;
  text: string;
  /** Values of an object, or items of a list. Empty for other values. */
  children: PreviewNode[];
}

const INDENT = 2;
/** Continuation lines are indented further than the values inside of an object. */
const CONTINUATION_INDENT = 4;

/** Parses the preview of a held action. The server indents values, so that none can pose as another one. */
export function parsePreview(preview: string): PreviewNode[] {
  const lines = preview.split('\n');
  let at = 0;
  const parseNodes = (indent: number): PreviewNode[] => {
    const nodes: PreviewNode[] = [];
    while (at < lines.length && getIndent(lines[at]!) >= indent) nodes.push(parseNode(indent));
    return nodes;
  };
  const parseNode = (indent: number): PreviewNode => {
    const { name, text } = splitLine(lines[at++]!.slice(indent));
    if (text === undefined) return { name, text: '', children: parseNodes(indent + INDENT) };
    const textLines = [text];
    while (at < lines.length && getIndent(lines[at]!) > indent) {
      const line = lines[at++]!;
      textLines.push(line.slice(Math.min(getIndent(line), indent + CONTINUATION_INDENT)));
    }
    return { name, text: textLines.join('\n'), children: [] };
  };
  return parseNodes(0);
}

const getIndent = (line: string): number => line.length - line.trimStart().length;

/** Splits `to: ann@example.org`, `- ann@example.org` and `7, 9`. Objects and lists have no text. */
function splitLine(line: string): { name: string; text: string | undefined } {
  const [, label, text] = /^(-|.*?:)(?: (.*))?$/.exec(line) ?? [];
  return label === undefined ? { name: '', text: line } : { name: label.slice(0, -1), text };
}
