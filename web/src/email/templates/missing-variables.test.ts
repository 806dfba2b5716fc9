import { expect, it } from 'vitest';
import { markMissingVariables, splitText } from './missing-variables.ts';

it.each([
  ['<p>Hi {{name}}, {{order}}</p>', '<p>Hi <mark>{{name}}</mark>, {{order}}</p>'],
  [
    '<a href="/x?{{name}}" title="{{name}}">{{name}}</a>',
    '<a href="/x?{{name}}" title="{{name}}"><mark>{{name}}</mark></a>',
  ],
  [
    '<title>{{name}}</title><style>/* {{name}} */</style><!-- > {{name}} -->',
    '<title>{{name}}</title><style>/* {{name}} */</style><!-- > {{name}} -->',
  ],
  ['{{name}}{{name}}', '<mark>{{name}}</mark><mark>{{name}}</mark>'],
])('marks a missing variable in the text of %s', (html, marked) => {
  expect(markMissingVariables(html, ['name'])).toBe(marked);
  expect(markMissingVariables(html, [])).toBe(html);
});

it('splits plain text at missing variables', () => {
  expect(splitText('Hi {{name}}!', ['name'])).toEqual([
    { text: 'Hi ', isMissing: false },
    { text: '{{name}}', isMissing: true },
    { text: '!', isMissing: false },
  ]);
});
