const moduleByWord = new Map<string, string>();

/** Assigns models whose names begin with one of `words`, such as `crm` in `crm.lead`, to the module `name`. */
export function defineModule(name: string, words: string[]): void {
  for (const word of words) {
    const owner = moduleByWord.get(word) ?? name;
    if (owner !== name) throw new Error(`models named ${word} belong to two modules: ${owner} and ${name}`);
    moduleByWord.set(word, name);
  }
}

/**
 * Returns the module of the model `name`. Null for a custom model.
 * @throws Error if no module claims the name
 */
export function getModule(name: string): string | null {
  if (isCustomName(name)) return null;
  const owner = moduleByWord.get(name.split('.')[0]!);
  if (!owner)
    throw new Error(`model ${name}: no module claims its name; declare it with defineModule or defineApp`);
  return owner;
}

export const isCustomName = (name: string): boolean => name.startsWith('x_');
