const MAX_FOUND_MODELS = 200;
const MAX_HITS_PER_MODEL = 8;

/**
 * Finds the models whose name, label, fields or methods contain every word. For a word that neither the name nor the
 * label contains, lists the fields and methods that contain it. Models whose names match come first. Pure.
 * @returns {{ model: string, name: string, fields: string[], methods: string[] }[]}
 */
export function find(models, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = [];
  for (const entry of models) {
    const own = `${entry.model} ${entry.name}`.toLowerCase();
    const rest = words.filter((word) => !own.includes(word));
    const fields = rest.length ? findFields(entry, rest) : [];
    const methods = rest.length ? entry.methods.filter((method) => hasAny(method, rest)) : [];
    const isHit = rest.every(
      (word) => findFields(entry, [word]).length || entry.methods.some((method) => hasAny(method, [word])),
    );
    if (isHit)
      found.push({
        rank: computeRank(entry, words, rest),
        model: entry.model,
        name: entry.name,
        fields,
        methods,
      });
  }
  return found
    .sort((a, b) => a.rank - b.rank || (a.model < b.model ? -1 : 1))
    .slice(0, MAX_FOUND_MODELS)
    .map(({ rank, fields, methods, ...entry }) => ({
      ...entry,
      fields: fields.slice(0, MAX_HITS_PER_MODEL),
      methods: methods.slice(0, MAX_HITS_PER_MODEL),
    }));
}

const hasAny = (text, words) => words.some((word) => text.toLowerCase().includes(word));

const findFields = (entry, words) =>
  Object.entries(entry.fields)
    .filter(([name, field]) => hasAny(`${name} ${field.string}`, words))
    .map(([name]) => name);

/** Ranks a model: an exact match comes first, and each word that its name and label do not contain lowers the rank. */
const computeRank = (entry, words, rest) =>
  words.length === 1 && entry.model === words[0] ? -1 : rest.length;
