// Writes src/engine/value/common-passwords.bin, a Bloom filter of passwords that attackers try first, from:
//
// - the 100,000 most used passwords of Have I Been Pwned, published by the NCSC. They are in SecLists (MIT, Copyright
//   Daniel Miessler): Passwords/Common-Credentials/100k-most-used-passwords-NCSC.txt
// - 49,233 passwords of zxcvbn-ts (MIT, Copyright zxcvbn-ts contributors), which omits repeated characters:
//   npm pack @zxcvbn-ts/language-common@4.1.3 && tar xf zxcvbn-ts-language-common-4.1.3.tgz
//
// Usage: node scripts/common-passwords.ts 100k-most-used-passwords-NCSC.txt package/src/passwords.json

import { readFileSync, writeFileSync } from 'node:fs';
import {
  addPassword,
  FILTER_FILE,
  isInFilter,
  normalizePassword,
} from '../src/engine/value/common-passwords.ts';

/** Bits per password. With 24 bits, about ten in a million other passwords are false positives. */
const BITS = 24;
/** Shorter passwords are rejected anyway. */
const MIN_LENGTH = 8;

const lists = process.argv.slice(2).flatMap((file): string[] => {
  const text = readFileSync(file, 'utf8');
  return file.endsWith('.json') ? JSON.parse(text) : text.split(/\r?\n/);
});
const passwords = [...new Set(lists.map(normalizePassword))].filter(({ length }) => length >= MIN_LENGTH);
const filter = Buffer.alloc(Math.ceil((passwords.length * BITS) / 8));
for (const password of passwords) addPassword(filter, password);
writeFileSync(FILTER_FILE, filter);
const missingPasswords = passwords.filter((password) => !isInFilter(filter, password));
console.log(`${passwords.length} passwords, ${filter.length} bytes, ${missingPasswords.length} missing`);
