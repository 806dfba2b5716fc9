import { defineEnumShape, defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { findSenderDoubt, type Verdicts } from '../intake/verdicts.ts';

const RESULT_DESCRIPTIONS = {
  pass: 'The check succeeded.',
  fail: 'The check failed.',
  softfail: 'The domain probably does not authorize the sending server.',
  neutral: 'The domain makes no statement about it.',
  none: 'There is nothing to check.',
  policy: 'The signature is valid, but a policy does not accept it.',
  permerror: "The domain's records or the signature are invalid.",
  temperror: 'The check was not possible, because no name server responded.',
};

const ResultShape = defineEnumShape(
  'MailVerdict',
  'Result of a check that authenticates the sender of a message.',
  RESULT_DESCRIPTIONS,
);

const POLICY_DESCRIPTIONS = {
  none: 'Nothing.',
  quarantine: 'Treat the message as spam.',
  reject: 'Reject the message.',
};

const PolicyShape = defineEnumShape(
  'DmarcPolicy',
  "Action that a sender's domain requests if DMARC fails.",
  POLICY_DESCRIPTIONS,
);

const DoubtShape = defineEnumShape(
  'MailSenderDoubt',
  'Reason to doubt that a message comes from its sender.',
  {
    disowned: "The sender's domain asks receivers to reject this message or to treat it as spam.",
    failed: "The checks of the sender's domain failed.",
    malformed: 'The message does not name a single sender that can be checked.',
    unchecked: 'No name server responded.',
  },
);

export const VerdictsShape = defineTypedShape(
  'MailVerdicts',
  "Results of the checks that authenticate a message's sender. A result is null if it is unknown.",
  {
    doubt: {
      type: DoubtShape,
      nullable: true,
      description:
        'Reason to suspect that the sender is forged. Null if there is no such reason, which does ' +
        'not prove that the sender is genuine.',
    },
    spf: {
      type: ResultShape,
      nullable: true,
      description: "SPF result: whether the sending server is authorized by the sender's domain.",
    },
    dkim: { type: ResultShape, nullable: true, description: 'DKIM result: whether a signature is valid.' },
    signedBy: { type: ['String'], description: 'Domains with valid signatures.' },
    dmarc: {
      type: ResultShape,
      nullable: true,
      description: 'DMARC result: whether the message is authenticated for the domain in From.',
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
