export { shellStrings } from '../i18n/shell-strings.ts';
