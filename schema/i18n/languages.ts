import { readdirSync, readFileSync } from 'node:fs';
import { defineLabels, type LabelTranslations } from '../../src/engine/describe/labels.ts';

// Each `<language>.json` of this folder holds the labels of the models in one language, by their English texts.

const folder = new URL('.', import.meta.url);

for (const file of readdirSync(folder).filter((name) => name.endsWith('.json')))
  defineLabels(
    file.slice(0, -'.json'.length),
    JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as LabelTranslations,
  );
