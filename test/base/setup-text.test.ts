import { describe, expect, test } from 'vitest';
import { buildMcpUrl, buildSetupText, SETUP_CLIENTS } from '../../schema/base/agents/setup-text.ts';

const url = 'https://example.org/mcp';
const CREDENTIALS = /authorization|bearer|key/i;

describe.each(Object.keys(SETUP_CLIENTS))('the setup text for %s', (client) => {
  test('contains the URL, and mentions a key only if the client uses one', () => {
    const withoutKey = buildSetupText(client, { url, key: false });
    expect(withoutKey).toContain(url);
    expect(withoutKey).not.toMatch(CREDENTIALS);
    const withKey = buildSetupText(client, { url, key: true });
    expect(withKey).toContain(url);
    expect(withKey).toMatch(CREDENTIALS);
  });

  test('is valid JSON if the client reads a JSON file', () => {
    const isJson = SETUP_CLIENTS[client]!.location.endsWith('.json');
    for (const key of [false, true]) {
      const text = buildSetupText(client, { url, key });
      if (isJson) expect(JSON.parse(text)).toEqual(expect.any(Object));
      else expect(text).not.toMatch(/^\{/);
    }
  });
});

test('rejects an unknown client', () => {
  expect(() => buildSetupText('toString', { url, key: false })).toThrow(
    '--client must be one of claude-code',
  );
});

test.each([
  [undefined, 'https://example.org/mcp'],
  ['main', 'https://example.org/mcp'],
  ['other', 'https://other.example.org/mcp'],
])('serves workspace %s at %s', (workspace, expected) => {
  expect(buildMcpUrl('https://example.org', workspace).href).toBe(expected);
});
