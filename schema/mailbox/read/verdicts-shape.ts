import { defineEnumShape, defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { findSenderDoubt, type Verdicts } from '../intake/verdicts.ts';

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

const DoubtShape = defineEnumShape(
  'MailSenderDoubt',
  'Reason to doubt that a message comes from its sender.',
  {
    disowned: 'The domain of the sender asks to reject this message or to treat it as spam.',
    failed: 'The checks of the domain of the sender failed.',
    malformed: 'The message does not name one sender that can be checked.',
    unchecked: 'No name server answered.',
  },
);

export const VerdictsShape = defineTypedShape(
  'MailVerdicts',
  'What the checks of where a message comes from found; null where it is not known.',
  {
    doubt: {
      type: DoubtShape,
      nullable: true,
      description:
        'Why the message may not come from its sender. Null if there is no such sign, which proves nothing.',
    },
    spf: {
      type: ResultShape,
      nullable: true,
      description: 'SPF result: whether the server may send for the sender.',
    },
    dkim: { type: ResultShape, nullable: true, description: 'DKIM result: whether a signature is valid.' },
    signedBy: { type: ['String'], description: 'Domains with valid signatures.' },
    dmarc: {
      type: ResultShape,
      nullable: true,
      description: 'DMARC result: whether the domain in From authenticates the message.',
    },
    policy: {
      type: PolicyShape,
      nullable: true,
      description: 'Policy that the domain requests if DMARC fails.',
    },
    arc: {
      type: ResultShape,
      nullable: true,
      description: 'ARC result: whether the chain of forwarding servers is intact.',
    },
  },
);

export const toVerdictsView = (verdicts: Verdicts | null) =>
  verdicts && {
    doubt: findSenderDoubt(verdicts),
    spf: toKnownValue(RESULT_DESCRIPTIONS, verdicts.spf),
    dkim: toKnownValue(RESULT_DESCRIPTIONS, verdicts.dkim),
    signed_by: verdicts.signedBy ?? [],
    dmarc: toKnownValue(RESULT_DESCRIPTIONS, verdicts.dmarc),
    policy: toKnownValue(POLICY_DESCRIPTIONS, verdicts.policy),
    arc: toKnownValue(RESULT_DESCRIPTIONS, verdicts.arc),
  };

const toKnownValue = (values: object, value: string | null): string | null =>
  value !== null && value in values ? value : null;
