import type { Dice } from './dice.ts';

/** Strings that have broken other software, and a few harmless ones. */
export const TEXTS = [
  ...[
    '',
    ' ',
    'name',
    'x',
    '0',
    '-1',
    '1e999',
    'false',
    'null',
    '[object Object]',
    '\u0000',
    '\ud800',
    '\ufeff',
    '漢字',
  ],
  ...[
    '%',
    '_%',
    'mk%',
    '%mk%',
    '\\',
    "'",
    '"',
    "' or 1=1 --",
    "'; drop table res_partner; --",
    '$1',
    '$$',
    '{{#if a}}',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'prototype',
    '{"__proto__":{"groups":[1]}}',
    '#{7*7}',
    '{{7*7}}',
    '%s%n',
  ],
  ...[
    '../../etc/passwd',
    'file:///etc/passwd',
    'http://127.0.0.1:5432/',
    'https://user:pass@example.com',
    'javascript:alert(1)',
  ],
  ...[
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'a\r\nBcc: b@example.org',
    'Ann <ann@example.net>',
  ],
  ...[
    'en_US',
    'fr_FR',
    'UTC',
    'Europe/Brussels',
    '2026-11-22',
    '2026-02-30',
    '9999-12-31 23:59:59',
    'today -1d',
    'base.user_admin',
  ],
  ...[
    'res.partner,1',
    'main',
    'postgres',
    '*',
    'password',
    'access_token',
    'sudo',
    'now()',
    'pg_sleep(9)',
    '1; select 1',
  ],
  ...[
    'x'.repeat(3_000),
    '('.repeat(3_000),
    '{{a}}'.repeat(500),
    '<p>'.repeat(2_000),
    'a@b.c,'.repeat(300),
    '\\u0000',
  ],
];

/** Strings that may take superlinear time in a regular expression or parser. */
const LONG_TEXTS = [
  ...[
    '{{#a}}',
    '{{a',
    '<p>',
    '<a href="',
    '&amp;',
    '<!--',
    'a@',
    '"',
    '\\',
    '%',
    '((',
    '[[',
    '{"a":',
    '=?utf-8?Q?',
  ],
  ...[' ', '\n', '\t ', 'a,', 'a.', '1', '-', '_', "'", 'é', '\u0301', 'res.partner,', 'https://', '<'],
].map((part) => `${part.repeat(20_000)}!`);

export const pickHostileText = (dice: Dice): string => dice.pick(dice.once(30) ? LONG_TEXTS : TEXTS);

export const NUMBERS = [
  ...[
    0,
    -0,
    1,
    2,
    3,
    -1,
    1.5,
    100,
    1_000,
    10_000,
    2_147_483_647,
    2_147_483_648,
    -2_147_483_649,
    2 ** 53,
    1e308,
    5e-324,
  ],
];

export const OPERATORS =
  '= != in|not in|< > <= >= like ilike =like =ilike not like|any not any|child_of parent_of =? any! && is'
    .split('|')
    .flatMap((part) => (part.startsWith('not ') ? [part] : part.split(' ')));

export const ORDERS = [
  'id',
  'id desc',
  'name',
  'create_date desc, id',
  'email',
  'partner_id.email',
  'password',
  '1',
  'id;',
];
export const AGGREGATES = [
  '__count',
  'id:max',
  'email:max',
  'phone:array_agg',
  'create_uid:count_distinct',
  'x:sum',
  'id:recordset',
];
export const PERIODS = ['', '', '', ':month', ':day', ':week', ':hour', ':day_of_week', ':nope'];
