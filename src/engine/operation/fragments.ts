import { type DocumentNode, type FragmentDefinitionNode, Kind } from 'graphql';

/** Fragments by name. The object has no prototype, because the document chooses the names. */
export type Fragments = Record<string, FragmentDefinitionNode>;

export function collectFragments({ definitions }: DocumentNode): Fragments {
  const fragments: Fragments = Object.create(null);
  for (const definition of definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  return fragments;
}
