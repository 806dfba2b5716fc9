import { defineEnumShape, defineTypedShape } from '../../../src/engine/operation/shape.ts';
import type { Verdicts } from '../intake/verdicts.ts';

const RESULT_DESCRIPTIONS = {
  pass: 'The check succeeded.',
  fail: 'The check failed.',
  softfail: 'The domain doubts that the sending server is one of its own.',
  neutral: 'The domain says nothing about it.',
  none: 'There is nothing to check.',
  policy: 'The signature is right, and is not accepted.',
  permerror: 'The records of the domain, or the signature, cannot be understood.',
  temperror: 'No name server answered, so the check could not be made.',
};

const ResultShape = defineEnumShape(
  'MailVerdict',
  'Result of a check of where a message comes from.',
  RESULT_DESCRIPTIONS,
);

const POLICY_DESCRIPTIONS = {
  none: 'Nothing.',
  quarantine: 'To treat the message as spam.',
  reject: 'To refuse the message.',
};

const PolicyShape = defineEnumShape(
  'DmarcPolicy',
  'What the domain of a sender asks for where DMARC fails.',
  POLICY_DESCRIPTIONS,
);

export const VerdictsShape = defineTypedShape(
  'MailVerdicts',
  'What the checks of where a message comes from found; null where it is not known.',
  {
    spf: { type: ResultShape, nullable: true, description: 'Whether the server may send for the sender.' },
    dkim: { type: ResultShape, nullable: true, description: 'Whether a signature is right.' },
    signedBy: { type: ['String'], description: 'Domains whose signatures are right.' },
    dmarc: {
      type: ResultShape,
      nullable: true,
      description: 'Whether the domain of the address in From stands for the message.',
    },
    policy: {
      type: PolicyShape,
      nullable: true,
      description: 'What that domain asks for where DMARC fails.',
    },
    arc: {
      type: ResultShape,
      nullable: true,
      description: 'Whether the chain of servers on its way is whole.',
    },
  },
);

export const toVerdictsView = (verdicts: Verdicts | null) =>
  verdicts && {
    spf: toKnownValue(RESULT_DESCRIPTIONS, verdicts.spf),
    dkim: toKnownValue(RESULT_DESCRIPTIONS, verdicts.dkim),
    signed_by: verdicts.signedBy ?? [],
    dmarc: toKnownValue(RESULT_DESCRIPTIONS, verdicts.dmarc),
    policy: toKnownValue(POLICY_DESCRIPTIONS, verdicts.policy),
    arc: toKnownValue(RESULT_DESCRIPTIONS, verdicts.arc),
  };

const toKnownValue = (values: object, value: string | null): string | null =>
  value !== null && value in values ? value : null;
