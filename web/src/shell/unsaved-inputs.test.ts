import { expect, it } from 'vitest';
import { createUnsavedInputs } from './unsaved-inputs.ts';

const FORM = { pathname: '/records/res.partner/1', search: {} };
const LIST = { pathname: '/records/res.partner', search: {} };

it('asks once for several unsaved inputs, and again after the first is saved', () => {
  const inputs = createUnsavedInputs();
  const isRecordLost = () => true;
  const isMessageLost = () => true;
  const removeRecord = inputs.add(isRecordLost);
  inputs.add(isMessageLost);
  expect(inputs.findFirstLost(FORM, LIST)).toBe(isRecordLost);
  removeRecord();
  expect(inputs.findFirstLost(FORM, LIST)).toBe(isMessageLost);
});

it('asks only for input that the navigation discards', () => {
  const inputs = createUnsavedInputs();
  inputs.add((place, next) => place.pathname !== next.pathname);
  const isMessageLost = () => true;
  inputs.add(isMessageLost);
  const otherTab = { ...FORM, search: { tab: 'notes' } };
  expect(inputs.findFirstLost(FORM, otherTab)).toBe(isMessageLost);
});

it('does not ask if all inputs are kept', () => {
  const inputs = createUnsavedInputs();
  inputs.add(() => false);
  expect(inputs.findFirstLost(FORM, LIST)).toBeUndefined();
});
