import { defineTypedShape } from '../../../src/engine/operation/shape.ts';

export const PersonShape = defineTypedShape('MailPerson', 'A person in a message header.', {
  name: { type: 'String', description: "Display name. Empty if there isn't one." },
  email: { type: 'String', description: 'Address.' },
});
