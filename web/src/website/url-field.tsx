import type { ComponentProps } from 'react';
import { Field } from '../ui/field.tsx';

/** A field for URLs and other text that is written from left to right, without capitals and spelling. */
export const UrlField = (props: ComponentProps<typeof Field>) => (
  <Field dir="ltr" autoCapitalize="none" spellCheck={false} {...props} />
);
