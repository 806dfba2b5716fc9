/** A part of a held action's preview. */
export interface PreviewPart {
  level: number;
  name: string;
  label: string | null;
  change: 'CREATE' | 'UPDATE' | 'DELETE' | 'REMOVE' | 'ADD' | 'CLEAR' | 'SET' | null;
  value: string | null;
  values: string[];
}

export interface PreviewNode extends Omit<PreviewPart, 'level'> {
  children: PreviewNode[];
}

/** Nests the parts of a preview by their levels. */
export function buildPreviewTree(parts: readonly PreviewPart[]): PreviewNode[] {
  const levels: PreviewNode[][] = [[]];
  for (const { level, ...part } of parts) {
    const node = { ...part, children: [] };
    levels[level]!.push(node);
    levels[level + 1] = node.children;
  }
  return levels[0]!;
}
