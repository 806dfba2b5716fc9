import { defineEnumShape, defineTypedShape } from '../../../src/engine/verb/shape.ts';
import type { Verdicts } from '../intake/verdicts.ts';

const RESULTS = {
  pass: 'The check succeeded.',
  fail: 'The check failed.',
  softfail: 'The domain doubts that the sending server is one of its own.',
  neutral: 'The domain says nothing about it.',
  none: 'There is nothing to check.',
  policy: 'The signature is right, and is not accepted.',
  permerror: 'The records of the domain, or the signature, cannot be understood.',
  temperror: 'No name server answered, so the check could not be made.',
};

const Result = defineEnumShape('MailVerdict', 'Result of a check of where a message comes from.', RESULTS);

const POLICIES = {
  none: 'Nothing.',
  quarantine: 'To treat the message as spam.',
  reject: 'To refuse the message.',
};

const Policy = defineEnumShape(
  'DmarcPolicy',
  'What the domain of a sender asks for where DMARC fails.',
  POLICIES,
);

export const VerdictsShape = defineTypedShape(
  'MailVerdicts',
  'What the checks of where a message comes from found; null where it is not known.',
  {
    spf: { type: Result, nullable: true, description: 'Whether the server may send for the sender.' },
    dkim: { type: Result, nullable: true, description: 'Whether a signature is right.' },
    signedBy: { type: ['String'], description: 'Domains whose signatures are right.' },
    dmarc: {
      type: Result,
      nullable: true,
      description: 'Whether the domain of the address in From stands for the message.',
    },
    policy: { type: Policy, nullable: true, description: 'What that domain asks for where DMARC fails.' },
    arc: { type: Result, nullable: true, description: 'Whether the chain of servers on its way is whole.' },
  },
);

/** Verdicts as doors send them. */
export const shownVerdicts = (verdicts: Verdicts | null) =>
  verdicts && {
    spf: known(RESULTS, verdicts.spf),
    dkim: known(RESULTS, verdicts.dkim),
    signed_by: verdicts.signedBy ?? [],
    dmarc: known(RESULTS, verdicts.dmarc),
    policy: known(POLICIES, verdicts.policy),
    arc: known(RESULTS, verdicts.arc),
  };

const known = (values: object, value: string | null): string | null =>
  value !== null && value in values ? value : null;
