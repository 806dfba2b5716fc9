import { readdirSync, readFileSync } from 'node:fs';
import { defineLabels, type LabelTranslations } from '../../src/engine/describe/labels.ts';

// Each `<language>.json` in this folder contains the models' labels in a language, keyed by the English text.

const folder = new URL('.', import.meta.url);

for (const file of readdirSync(folder).filter((name) => name.endsWith('.json')))
  defineLabels(
    file.slice(0, -'.json'.length),
    JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as LabelTranslations,
  );
