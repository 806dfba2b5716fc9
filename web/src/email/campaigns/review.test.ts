import { expect, it } from 'vitest';
import { strings as german } from '../../i18n/de/campaigns.ts';
import { strings as english } from '../../i18n/en/campaigns.ts';
import { findSampleText } from './review.ts';

const samples = [english.starter, german.starter];
const buildHtml = (text: string) => `<h1>Hello</h1><p>${text}</p>`;

it.each([
  ['the sample in English', english.starter.subject, english.starter.text, ['SAMPLE_TEXT', 'SAMPLE_SUBJECT']],
  ['the sample in German', german.starter.subject, german.starter.text, ['SAMPLE_TEXT', 'SAMPLE_SUBJECT']],
  ['a text that contains the sample', 'Spring', `Dear Ann. ${english.starter.text}`, ['SAMPLE_TEXT']],
  ['a subject that contains the sample', `${english.starter.subject} of May`, 'Flowers', []],
  ['an own text', 'Spring', 'Flowers', []],
])('finds sample text in %s', (_name, subject, text, problems) => {
  expect(findSampleText({ subject, html: buildHtml(text) }, samples)).toEqual(problems);
});

it('samples contain no characters that are escaped in HTML', () => {
  for (const { text } of samples) expect(text).not.toMatch(/[<>&"']/);
});
