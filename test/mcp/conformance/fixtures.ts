import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Prompt, userSays } from '../../../facades/mcp/prompts/prompt.ts';
import { RpcError, rpcErrors } from '../../../facades/mcp/protocol/rpc-error.ts';
import { createMcpRegistry } from '../../../facades/mcp/registry.ts';
import type { ResourceKind } from '../../../facades/mcp/resources/resource.ts';
import { defineTool, READS, type Shaped, type ToolCall, toolAnswer } from '../../../facades/mcp/tool.ts';
import { errors } from '../../../src/errors.ts';
import { isObject } from '../../../src/json.ts';

// What the conformance suite expects of a server besides the protocol: tools, resources and prompts with fixed answers.

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

type Call = ToolCall<Record<string, unknown>>;
type Run = (call: Call) => Shaped | Promise<Shaped>;

const tool = (name: string, run: Run, inputSchema: object = { type: 'object', properties: {} }) =>
  defineTool<Record<string, unknown>>({
    name,
    title: name,
    description: `Fixture ${name} of the conformance suite.`,
    inputSchema,
    outputSchema: { type: 'object' },
    annotations: READS,
    scope: 'read',
    effects: ['reads'],
    group: 'live',
    method: null,
    isOurs: true,
    run: async (call) => run(call),
  });

const says = (...content: object[]): Shaped => ({ ...toolAnswer({}, 0), content });
const text = (words: string) => ({ type: 'text', text: words });
const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const embedded = (uri: string, words: string) => ({
  type: 'resource',
  resource: { uri, mimeType: 'text/plain', text: words },
});

const elicit = (message: string, name: string, type = 'string') => ({
  method: 'elicitation/create',
  params: {
    message,
    requestedSchema: { type: 'object', properties: { [name]: { type } }, required: [name] },
  },
});
const sample = (words: string, maxTokens: number) => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: text(words) }], maxTokens },
});
const ROOTS = { method: 'roots/list', params: {} };

const asks = (inputRequests: object, requestState?: string): Shaped => ({
  ...toolAnswer({}, 0),
  input: { inputRequests, ...(requestState !== undefined && { requestState }) },
});

const answers = ({ params }: Pick<Call, 'params'>): Record<string, unknown> =>
  isObject(params.inputResponses) ? params.inputResponses : {};

/** What the person has filled in; undefined for no answer, or one of another shape. */
function filledIn(call: Pick<Call, 'params'>, key: string, name: string): unknown {
  const answer = answers(call)[key];
  const content = isObject(answer) && answer.action === 'accept' ? answer.content : undefined;
  return isObject(content) ? content[name] : undefined;
}

const SECRET = randomBytes(32);
const signed = (state: string): string =>
  `${state}.${createHmac('sha256', SECRET).update(state).digest('hex')}`;

/** @throws RpcError -32602 for a state that is not ours */
function stateOf({ params }: Pick<Call, 'params'>): string | null {
  const given = params.requestState;
  if (given === undefined) return null;
  const state = String(given).split('.')[0]!;
  const [is, should] = [String(given), signed(state)].map((each) => Buffer.from(each));
  if (is!.length !== should!.length || !timingSafeEqual(is!, should!))
    throw rpcErrors.invalidParams('the requestState is not valid');
  return state;
}

const capabilitiesOf = ({ params }: Pick<Call, 'params'>): Record<string, unknown> => {
  const meta = isObject(params._meta) ? params._meta : {};
  return isObject(meta[CAPABILITIES]) ? meta[CAPABILITIES] : {};
};

/** Sends how far it is, where the program wants to know. */
async function progresses({ params, notify }: Call): Promise<Shaped> {
  const progressToken = isObject(params._meta) ? params._meta.progressToken : undefined;
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined)
      notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return says(text(String(progressToken)));
}

const plainTools = [
  tool('test_simple_text', () => says(text('This is a simple text response for testing.'))),
  tool('test_image_content', () => says(image)),
  tool('test_audio_content', () => says({ type: 'audio', data: WAV, mimeType: 'audio/wav' })),
  tool('test_embedded_resource', () =>
    says(embedded('test://embedded-resource', 'This is an embedded resource content.')),
  ),
  tool('test_multiple_content_types', () =>
    says(text('Multiple content types test:'), image, {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: '{"test":"data","value":123}',
      },
    }),
  ),
  tool('test_error_handling', () => {
    throw errors.user('This tool intentionally returns an error for testing');
  }),
  tool('test_tool_with_progress', progresses),
  // No log level is asked for, so nothing is logged to the program.
  tool('test_logging_tool', () => says(text('done'))),
  tool('test_missing_capability', (call) => {
    if ('sampling' in capabilitiesOf(call)) return says(text('done'));
    const data = { requiredCapabilities: { sampling: {} } };
    throw new RpcError(-32021, 400, 'Missing required client capability: sampling', { data });
  }),
  tool('test_streaming_elicitation', (call) => {
    const name = filledIn(call, 'name', 'name');
    return name === undefined ? asks({ name: elicit('Your name?', 'name') }) : says(text(String(name)));
  }),
];

const askingTools = [
  tool('test_input_required_result_elicitation', (call) => {
    const name = filledIn(call, 'user_name', 'name');
    if (typeof name !== 'string') return asks({ user_name: elicit('What is your name?', 'name') });
    return says(text(`Hello, ${name}!`));
  }),
  tool('test_input_required_result_sampling', (call) => {
    const answer = answers(call).capital_question;
    if (!isObject(answer)) return asks({ capital_question: sample('What is the capital of France?', 100) });
    return says(text(`The answer: ${JSON.stringify(answer.content)}`));
  }),
  tool('test_input_required_result_list_roots', (call) => {
    const answer = answers(call).client_roots;
    if (!isObject(answer)) return asks({ client_roots: ROOTS });
    return says(text(`The roots: ${JSON.stringify(answer.roots)}`));
  }),
  tool('test_input_required_result_request_state', (call) => {
    const state = stateOf(call);
    if (state === null || typeof filledIn(call, 'confirm', 'ok') !== 'boolean')
      return asks({ confirm: elicit('Please confirm', 'ok', 'boolean') }, signed('confirm'));
    return says(text('state-ok'));
  }),
  tool('test_input_required_result_multiple_inputs', (call) => {
    const { greeting, client_roots: roots } = answers(call);
    const name = filledIn(call, 'user_name', 'name');
    if (stateOf(call) === null || name === undefined || !isObject(greeting) || !isObject(roots))
      return asks(
        {
          user_name: elicit('What is your name?', 'name'),
          greeting: sample('Generate a greeting', 50),
          client_roots: ROOTS,
        },
        signed('multiple'),
      );
    return says(text(`${name}: ${JSON.stringify([greeting.content, roots.roots])}`));
  }),
  tool('test_input_required_result_multi_round', (call) => {
    const state = stateOf(call);
    const name = filledIn(call, 'step1', 'name');
    if (state === 'two') {
      const color = filledIn(call, 'step2', 'color');
      if (color !== undefined) return says(text(`Favorite color: ${color}`));
    }
    if (state === 'one' && name !== undefined)
      return asks({ step2: elicit('Step 2: What is your favorite color?', 'color') }, signed('two'));
    return asks({ step1: elicit('Step 1: What is your name?', 'name') }, signed('one'));
  }),
  tool('test_input_required_result_tampered_state', (call) => {
    if (stateOf(call) === null || filledIn(call, 'confirm', 'ok') === undefined)
      return asks({ confirm: elicit('Please confirm', 'ok', 'boolean') }, signed('tampered'));
    return says(text('state-ok'));
  }),
  tool('test_input_required_result_capabilities', (call) => {
    const known = capabilitiesOf(call);
    const requests = {
      ...('sampling' in known && { question: sample('What is your name?', 50) }),
      ...('elicitation' in known && { name: elicit('What is your name?', 'name') }),
    };
    return Object.keys(answers(call)).length > 0 ? says(text('done')) : asks(requests);
  }),
];

const NO_ARGUMENTS: Prompt['arguments'] = [];
const argument = (name: string) => ({ name, description: `Argument ${name}.`, required: true });
const prompt = (name: string, args: Prompt['arguments'], messages: Prompt['messages']): Prompt => ({
  name,
  title: name,
  description: `Fixture ${name} of the conformance suite.`,
  arguments: args,
  messages,
});

const prompts: Prompt[] = [
  prompt('test_simple_prompt', NO_ARGUMENTS, () => userSays('This is a simple prompt for testing.')),
  prompt('test_prompt_with_arguments', ['arg1', 'arg2'].map(argument), ({ arg1, arg2 }) =>
    userSays(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
  ),
  prompt('test_prompt_with_embedded_resource', [argument('resourceUri')], ({ resourceUri }) => [
    { role: 'user', content: embedded(resourceUri!, 'Embedded resource content for testing.') },
    ...userSays('Please process the embedded resource above.'),
  ]),
  prompt('test_prompt_with_image', NO_ARGUMENTS, () => [
    { role: 'user', content: image },
    ...userSays('Please analyze the image above.'),
  ]),
  prompt('test_input_required_result_prompt', NO_ARGUMENTS, (_args, params) => {
    const context = filledIn({ params }, 'user_context', 'context');
    if (context !== undefined) return userSays(`Context: ${context}`);
    const asked = elicit('What context should the prompt use?', 'context');
    return { input: { inputRequests: { user_context: asked } } };
  }),
];

const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;
const info = (uri: string, name: string, mimeType: string) => ({
  uri,
  name,
  title: name,
  description: name,
  mimeType,
});

const resources: ResourceKind[] = [
  {
    list: () => [
      info('test://static-text', 'static text', 'text/plain'),
      info('test://static-binary', 'static binary', 'image/png'),
    ],
    async read(_ctx, uri) {
      if (uri === 'test://static-text')
        return [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }];
      return uri === 'test://static-binary' ? [{ uri, mimeType: 'image/png', blob: PNG }] : null;
    },
  },
  {
    template: {
      uriTemplate: 'test://template/{id}/data',
      name: 'template',
      title: 'template',
      description: 'template',
      mimeType: 'application/json',
    },
    list: () => [],
    async read(_ctx, uri) {
      const id = TEMPLATE.exec(uri)?.[1];
      if (id === undefined) return null;
      const shown = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
      return [{ uri, mimeType: 'application/json', text: shown }];
    },
  },
];

export const fixtures = createMcpRegistry([...plainTools, ...askingTools], { resources, prompts });
