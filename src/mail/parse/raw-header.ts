import { storable } from './charset.ts';
import { fieldsOf, fieldText } from './header-fields.ts';
import type { HeaderText } from './message.ts';
import type { RawMail } from './raw.ts';

/** The header of a raw message, of which nothing else is read. @param most bytes of it that are read */
export async function headersOf(raw: RawMail, most: number): Promise<HeaderText[]> {
  let bytes = Buffer.alloc(0);
  let end = -1;
  for await (const piece of raw.read(0, Math.min(raw.size, most))) {
    const from = Math.max(0, bytes.length - LONGEST_END);
    bytes = Buffer.concat([bytes, piece]);
    const found = bytes.toString('latin1', from).search(/\r\n\r\n|\n\n|\r\r/);
    if (found < 0) continue;
    end = from + found;
    break;
  }
  const fields = fieldsOf(end < 0 ? bytes : bytes.subarray(0, end));
  return fields.map(({ name, latin1 }) => ({ name, value: storable(fieldText(latin1)) }));
}

/** Bytes of the empty line at the end of a header, of which some may be in the piece before. */
const LONGEST_END = 4;
