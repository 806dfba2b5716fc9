import { expect, it } from 'vitest';
import { findTopmostLost, type IsLost } from './unsaved-inputs.ts';

const FORM = { pathname: '/records/res.partner/1', search: {} };
const LIST = { pathname: '/records/res.partner', search: {} };

const isRecordLost: IsLost = ({ current, next }) => current.pathname !== next.pathname;
const isMessageLost = () => true;

const pushTo = (next: typeof FORM) => ({ current: FORM, next, action: 'PUSH' });

it('asks once for several unsaved inputs, about the topmost one', () => {
  expect(findTopmostLost([isRecordLost, isMessageLost], pushTo(LIST))).toBe(isMessageLost);
});

it('asks only for input that the navigation discards', () => {
  const otherTab = { ...FORM, search: { tab: 'notes' } };
  expect(findTopmostLost([isRecordLost, isMessageLost], pushTo(otherTab))).toBe(isMessageLost);
  expect(findTopmostLost([isRecordLost], pushTo(otherTab))).toBeUndefined();
});
