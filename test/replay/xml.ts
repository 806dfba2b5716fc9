import sax from 'sax';

/** A number transmitted as `<double>`, which clients distinguish from an integer. */
export class Double {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

export type XmlResult = { value: unknown } | { fault: { faultCode: unknown; faultString: unknown } };

const escapeXml = (text: string): string =>
  text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character]!);

export function encodeCall(method: string, params: unknown[]): string {
  const all = params.map((param) => `<param>${encode(param)}</param>`).join('');
  return `<?xml version='1.0'?><methodCall><methodName>${method}</methodName><params>${all}</params></methodCall>`;
}

function encode(value: unknown): string {
  return `<value>${encodeScalar(value)}</value>`;
}

function encodeScalar(value: unknown): string {
  if (value === null || value === undefined) return '<nil/>';
  if (typeof value === 'boolean') return `<boolean>${value ? 1 : 0}</boolean>`;
  if (typeof value === 'number')
    return Number.isInteger(value) ? `<int>${value}</int>` : `<double>${value}</double>`;
  if (typeof value === 'string') return `<string>${escapeXml(value)}</string>`;
  if (Array.isArray(value)) return `<array><data>${value.map(encode).join('')}</data></array>`;
  const { $base64, $dateTime } = value as { $base64?: string; $dateTime?: string };
  if ($base64) return `<base64>${$base64}</base64>`;
  if ($dateTime) return `<dateTime.iso8601>${$dateTime}</dateTime.iso8601>`;
  const members = Object.entries(value).map(
    ([name, item]) => `<member><name>${escapeXml(name)}</name>${encode(item)}</member>`,
  );
  return `<struct>${members.join('')}</struct>`;
}

interface Node {
  name: string;
  text: string;
  children: Node[];
}

/** @throws Error if the text is not an XML-RPC response */
export function decodeResponse(text: string): XmlResult {
  const root = parse(text);
  const [first] = root.children;
  if (root.name !== 'methodResponse' || !first) throw new Error('no methodResponse');
  if (first.name === 'fault') return { fault: decode(first.children[0]!) as never };
  return { value: decode(first.children[0]!.children[0]!) };
}

function parse(text: string): Node {
  const parser = sax.parser(true);
  const top: Node = { name: '', text: '', children: [] };
  const open = [top];
  parser.onopentag = ({ name }) => {
    const node = { name, text: '', children: [] };
    open.at(-1)!.children.push(node);
    open.push(node);
  };
  parser.onclosetag = () => void open.pop();
  parser.ontext = (part) => {
    open.at(-1)!.text += part;
  };
  parser.onerror = (error) => {
    throw error;
  };
  parser.write(text).close();
  return top.children[0]!;
}

function decode(value: Node): unknown {
  const [typedNode] = value.children;
  if (!typedNode) return value.text;
  if (typedNode.name === 'array') return typedNode.children[0]!.children.map(decode);
  if (typedNode.name === 'struct')
    return Object.fromEntries(
      typedNode.children.map(({ children: [name, item] }) => [name!.text, decode(item!)]),
    );
  if (typedNode.name === 'boolean') return typedNode.text === '1';
  if (['int', 'i4', 'i8'].includes(typedNode.name)) return Number(typedNode.text);
  if (typedNode.name === 'double') return new Double(Number(typedNode.text));
  return typedNode.name === 'nil' ? null : typedNode.text;
}
