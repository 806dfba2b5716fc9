import { expect, it } from 'vitest';
import { findFirstLost, type IsLost } from './unsaved-inputs.ts';

const FORM = { pathname: '/records/res.partner/1', search: {} };
const LIST = { pathname: '/records/res.partner', search: {} };

const isRecordLost: IsLost = (place, next) => place.pathname !== next.pathname;
const isMessageLost = () => true;

it('asks once for several unsaved inputs', () => {
  expect(findFirstLost([isRecordLost, isMessageLost], FORM, LIST)).toBe(isRecordLost);
});

it('asks only for input that the navigation discards', () => {
  const otherTab = { ...FORM, search: { tab: 'notes' } };
  expect(findFirstLost([isRecordLost, isMessageLost], FORM, otherTab)).toBe(isMessageLost);
  expect(findFirstLost([isRecordLost], FORM, otherTab)).toBeUndefined();
});
