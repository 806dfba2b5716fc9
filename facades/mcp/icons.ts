import type { ToolGroup } from '../../src/engine/model/model.ts';

/** Shapes of the icons, 24 by 24 pixels. */
const SHAPES: Record<ToolGroup, string> = {
  data: '<rect x="3" y="4" width="18" height="16" rx="2"/><path d="M3 10h18M9 10v10"/>',
  schema:
    '<rect x="9" y="3" width="6" height="5"/><path d="M12 8v4M5 16v-4h14v4"/><path d="M3 16h4v5H3zM17 16h4v5h-4z"/>',
  mail: '<rect x="3" y="5" width="18" height="14" rx="2"/><path d="m3 7 9 6 9-6"/>',
  live: '<path d="M3 12h4l3-8 4 16 3-8h4"/>',
  website: '<circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c5 5 5 13 0 18-5-5-5-13 0-18"/>',
};

const ICONS = new Map(
  Object.entries(SHAPES).map(([group, shape]) => [
    `${group}.svg`,
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#4f46e5" stroke-width="2" ' +
      `stroke-linecap="round" stroke-linejoin="round">${shape}</svg>`,
  ]),
);

/** The tool's `icons`: the icon of its group. Clients load it without a key. */
export const listIcons = (publicUrl: string, group: ToolGroup): object[] => [
  { src: `${new URL(publicUrl).origin}/mcp/icons/${group}.svg` },
];

/** `GET /mcp/icons/:file` */
export function serveIcon(file: string, requestId: string): Response {
  const icon = ICONS.get(file);
  if (!icon) return new Response('Not found.', { status: 404, headers: { 'x-request-id': requestId } });
  return new Response(icon, {
    headers: {
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'",
      'cache-control': 'public, max-age=86400',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
    },
  });
}
