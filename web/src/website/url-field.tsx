import type { ComponentProps } from 'react';
import { Field } from '../ui/form/field.tsx';

/** A field for URLs and other left-to-right text, without automatic capitalization or spell checking. */
export const UrlField = (props: ComponentProps<typeof Field>) => (
  <Field dir="ltr" autoCapitalize="none" spellCheck={false} {...props} />
);
