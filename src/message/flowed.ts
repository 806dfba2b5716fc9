/** Format of a plain text (RFC 3676). `delsp` removes the space at each join. */
export type FlowFormat = 'flowed' | 'delsp';

/** A line without its quote marks and space stuffing (RFC 3676 4.4, 4.5). */
interface FlowedLine {
  depth: number;
  text: string;
  isFlowed: boolean;
}

/**
 * Joins the lines of each paragraph of `format=flowed` text (RFC 3676 4.1 to 4.5). Quoted paragraphs start with their
 * quote marks and a space. Takes linear time.
 * @param text with LF line endings
 */
export function joinFlowed(text: string, flow: FlowFormat): string {
  const paragraphs: string[] = [];
  let paragraph = '';
  let depth = -1;
  for (const rawLine of text.split('\n')) {
    const line = parseFlowedLine(rawLine);
    // An empty line ends the paragraph, even if a client left a space at the end of the line before it.
    const goesOn = depth === line.depth && line.text !== SIGNATURE_SEPARATOR && line.text !== '';
    if (depth >= 0 && !goesOn) paragraphs.push(addQuoteMarks(depth, paragraph.replace(/ $/, '')));
    const text = line.isFlowed && flow === 'delsp' ? line.text.slice(0, -1) : line.text;
    paragraph = goesOn ? paragraph + text : text;
    depth = line.isFlowed ? line.depth : -1;
    if (!line.isFlowed) paragraphs.push(addQuoteMarks(line.depth, paragraph));
  }
  if (depth >= 0) paragraphs.push(addQuoteMarks(depth, paragraph.replace(/ $/, '')));
  return paragraphs.join('\n');
}

/** The separator is neither a fixed nor a flowed line (RFC 3676 4.3). */
const SIGNATURE_SEPARATOR = '-- ';

function parseFlowedLine(line: string): FlowedLine {
  let depth = 0;
  while (line.charCodeAt(depth) === QUOTE_MARK) depth++;
  const text = line.slice(line[depth] === ' ' ? depth + 1 : depth);
  return { depth, text, isFlowed: text.endsWith(' ') && text !== SIGNATURE_SEPARATOR };
}

const QUOTE_MARK = '>'.charCodeAt(0);

const addQuoteMarks = (depth: number, text: string): string =>
  depth === 0 || text === '' ? '>'.repeat(depth) + text : `${'>'.repeat(depth)} ${text}`;
