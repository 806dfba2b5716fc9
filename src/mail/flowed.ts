/** How the lines of a plain text are to be put together (RFC 3676): `delsp` joins them without the space at the end. */
export type FlowFormat = 'flowed' | 'delsp';

/** A line of flowed text without its quote marks and the space that was stuffed in (4.4, 4.5). */
interface FlowedLine {
  depth: number;
  text: string;
  isFlowed: boolean;
}

/**
 * Joins the lines of each paragraph of a `format=flowed` text (RFC 3676 4.1 to 4.5). Quoted paragraphs have their marks
 * and a space before them. Takes time in proportion to the text.
 * @param text with LF line ends
 */
export function joinFlowed(text: string, flow: FlowFormat): string {
  const joined: string[] = [];
  let paragraph = '';
  let depth = -1;
  for (const given of text.split('\n')) {
    const line = readLine(given);
    // Nothing goes on in an empty line, although some programs leave a space before one.
    const goesOn = depth === line.depth && line.text !== SIGNATURE_SEPARATOR && line.text !== '';
    if (depth >= 0 && !goesOn) joined.push(addQuoteMarks(depth, paragraph.replace(/ $/, '')));
    const text = line.isFlowed && flow === 'delsp' ? line.text.slice(0, -1) : line.text;
    paragraph = goesOn ? paragraph + text : text;
    depth = line.isFlowed ? line.depth : -1;
    if (!line.isFlowed) joined.push(addQuoteMarks(line.depth, paragraph));
  }
  if (depth >= 0) joined.push(addQuoteMarks(depth, paragraph.replace(/ $/, '')));
  return joined.join('\n');
}

/** Neither a fixed nor a flowed line (4.3). */
const SIGNATURE_SEPARATOR = '-- ';

function readLine(line: string): FlowedLine {
  let depth = 0;
  while (line.charCodeAt(depth) === QUOTE_MARK) depth++;
  const text = line.slice(line[depth] === ' ' ? depth + 1 : depth);
  return { depth, text, isFlowed: text.endsWith(' ') && text !== SIGNATURE_SEPARATOR };
}

const QUOTE_MARK = '>'.charCodeAt(0);

const addQuoteMarks = (depth: number, text: string): string =>
  depth === 0 || text === '' ? '>'.repeat(depth) + text : `${'>'.repeat(depth)} ${text}`;
