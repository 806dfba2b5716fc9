const SAMPLES_BY_NAME = {
  fields: ['display_name'],
  limit: 5,
  operation: 'read',
  allfields: [],
  attributes: ['string', 'type'],
};
const SAMPLES_BY_TYPE = { int: 0, float: 0, bool: false, str: '', dict: {}, list: [], 'list[dict]': [{}] };

/**
 * Builds example arguments: required ones, and optional ones that keep the response short. Pure.
 * @param {{ parameters: Record<string, { default?: unknown, annotation: string }>, api: string[] }} method
 */
export function buildSampleArguments(method) {
  const named = method.api.includes('model') ? {} : { ids: [1] };
  for (const [name, { annotation, ...parameter }] of Object.entries(method.parameters)) {
    const isNeeded = !('default' in parameter);
    if (name === 'domain') named.domain = [];
    else if (Object.hasOwn(SAMPLES_BY_NAME, name)) named[name] = SAMPLES_BY_NAME[name];
    else if (isNeeded) named[name] = SAMPLES_BY_TYPE[annotation] ?? (annotation.startsWith('list') ? [] : '');
  }
  return named;
}
