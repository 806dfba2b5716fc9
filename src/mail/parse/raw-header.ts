import { storable } from './charset.ts';
import { fieldsOf, fieldText } from './header-fields.ts';
import type { HeaderText } from './message.ts';
import type { RawMail } from './raw.ts';

/** The header of a raw message, of which nothing else is read. @param most bytes of it that are read */
export async function headersOf(raw: RawMail, most: number): Promise<HeaderText[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of raw.read(0, Math.min(raw.size, most))) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  const end = bytes.toString('latin1').search(/\r\n\r\n|\n\n|\r\r/);
  const fields = fieldsOf(end < 0 ? bytes : bytes.subarray(0, end));
  return fields.map(({ name, latin1 }) => ({ name, value: storable(fieldText(latin1)) }));
}
