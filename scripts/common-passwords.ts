// Writes src/engine/value/common-passwords.bin, a Bloom filter of passwords that attackers try first. The passwords are
// from zxcvbn-ts (MIT, Copyright zxcvbn-ts contributors): 49,233 passwords, most common first. Usage:
//
// - npm pack @zxcvbn-ts/language-common@4.1.3 && tar xf zxcvbn-ts-language-common-4.1.3.tgz
// - node scripts/common-passwords.ts package/src/passwords.json

import { readFileSync, writeFileSync } from 'node:fs';
import { addPassword, FILTER_FILE, isInFilter } from '../src/engine/value/common-passwords.ts';

/** Bits per password. With 24 bits, about ten in a million other passwords are false positives. */
const BITS = 24;

const list = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as string[];
const passwords = [...new Set(list.map((password) => password.toLowerCase()))];
const filter = Buffer.alloc(Math.ceil((passwords.length * BITS) / 8));
for (const password of passwords) addPassword(filter, password);
writeFileSync(FILTER_FILE, filter);
const missingPasswords = passwords.filter((password) => !isInFilter(filter, password));
console.log(`${passwords.length} passwords, ${filter.length} bytes, ${missingPasswords.length} missing`);
