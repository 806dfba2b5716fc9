import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { buildUserMessage, type Prompt } from '../../../facades/mcp/prompts/prompt.ts';
import { RpcError, rpcErrors } from '../../../facades/mcp/protocol/rpc-error.ts';
import { createMcpRegistry } from '../../../facades/mcp/registry.ts';
import type { ResourceKind } from '../../../facades/mcp/resources/resource.ts';
import {
  defineTool,
  READ_ANNOTATIONS,
  type ToolCallInput,
  type ToolResult,
  toToolResult,
} from '../../../facades/mcp/tool.ts';
import { errors } from '../../../src/errors.ts';
import { isObject } from '../../../src/json.ts';

// Tools, resources and prompts with the fixed responses that the conformance suite expects.

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

type Call = ToolCallInput<Record<string, unknown>>;
type RunTool = (call: Call) => ToolResult | Promise<ToolResult>;

const buildTool = (name: string, run: RunTool, inputSchema: object = { type: 'object', properties: {} }) =>
  defineTool({
    name,
    title: name,
    description: `Fixture ${name} of the conformance suite.`,
    inputSchema,
    outputSchema: { type: 'object' },
    annotations: READ_ANNOTATIONS,
    scope: 'read',
    effects: ['reads'],
    group: 'live',
    method: null,
    isOurs: true,
    run: async (call) => run(call),
  });

const buildResult = (...content: object[]): ToolResult => ({ ...toToolResult({}, 0), content });
const buildText = (text: string) => ({ type: 'text', text });
const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const buildEmbedded = (uri: string, text: string) => ({
  type: 'resource',
  resource: { uri, mimeType: 'text/plain', text },
});

const buildElicitation = (message: string, name: string, type = 'string') => ({
  method: 'elicitation/create',
  params: {
    message,
    requestedSchema: { type: 'object', properties: { [name]: { type } }, required: [name] },
  },
});
const buildSampling = (text: string, maxTokens: number) => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: buildText(text) }], maxTokens },
});
const ROOTS = { method: 'roots/list', params: {} };

const requestInput = (inputRequests: object, requestState?: string): ToolResult => ({
  ...toToolResult({}, 0),
  input: { inputRequests, ...(requestState !== undefined && { requestState }) },
});

const getInputResponses = ({ params }: Pick<Call, 'params'>): Record<string, unknown> =>
  isObject(params.inputResponses) ? params.inputResponses : {};

/** Returns a value that the user entered, or undefined if the form was not accepted. */
function getFormValue(call: Pick<Call, 'params'>, key: string, name: string): unknown {
  const response = getInputResponses(call)[key];
  const content = isObject(response) && response.action === 'accept' ? response.content : undefined;
  return isObject(content) ? content[name] : undefined;
}

const SECRET = randomBytes(32);
const signState = (state: string): string =>
  `${state}.${createHmac('sha256', SECRET).update(state).digest('hex')}`;

/** Throws RpcError -32602 for a state that this server did not issue. */
function parseState({ params }: Pick<Call, 'params'>): string | null {
  const requestState = params.requestState;
  if (requestState === undefined) return null;
  const state = String(requestState).split('.')[0]!;
  const [is, should] = [String(requestState), signState(state)].map((item) => Buffer.from(item));
  if (is!.length !== should!.length || !timingSafeEqual(is!, should!))
    throw rpcErrors.invalidParams('the requestState is not valid');
  return state;
}

const getCapabilities = ({ params }: Pick<Call, 'params'>): Record<string, unknown> => {
  const meta = isObject(params._meta) ? params._meta : {};
  return isObject(meta[CAPABILITIES]) ? meta[CAPABILITIES] : {};
};

async function reportProgress({ params, notify }: Call): Promise<ToolResult> {
  const progressToken = isObject(params._meta) ? params._meta.progressToken : undefined;
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined)
      notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return buildResult(buildText(String(progressToken)));
}

const plainTools = [
  buildTool('test_simple_text', () => buildResult(buildText('This is a simple text response for testing.'))),
  buildTool('test_image_content', () => buildResult(image)),
  buildTool('test_audio_content', () => buildResult({ type: 'audio', data: WAV, mimeType: 'audio/wav' })),
  buildTool('test_embedded_resource', () =>
    buildResult(buildEmbedded('test://embedded-resource', 'This is an embedded resource content.')),
  ),
  buildTool('test_multiple_content_types', () =>
    buildResult(buildText('Multiple content types test:'), image, {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: '{"test":"data","value":123}',
      },
    }),
  ),
  buildTool('test_error_handling', () => {
    throw errors.user('This tool intentionally returns an error for testing');
  }),
  buildTool('test_tool_with_progress', reportProgress),
  // Sends no log messages, because the client requests no log level.
  buildTool('test_logging_tool', () => buildResult(buildText('done'))),
  buildTool('test_missing_capability', (call) => {
    if ('sampling' in getCapabilities(call)) return buildResult(buildText('done'));
    const data = { requiredCapabilities: { sampling: {} } };
    throw new RpcError(-32021, 400, 'Missing required client capability: sampling', { data });
  }),
  buildTool('test_streaming_elicitation', (call) => {
    const name = getFormValue(call, 'name', 'name');
    return name === undefined
      ? requestInput({ name: buildElicitation('Your name?', 'name') })
      : buildResult(buildText(String(name)));
  }),
];

const inputTools = [
  buildTool('test_input_required_result_elicitation', (call) => {
    const name = getFormValue(call, 'user_name', 'name');
    if (typeof name !== 'string')
      return requestInput({ user_name: buildElicitation('What is your name?', 'name') });
    return buildResult(buildText(`Hello, ${name}!`));
  }),
  buildTool('test_input_required_result_sampling', (call) => {
    const response = getInputResponses(call).capital_question;
    if (!isObject(response))
      return requestInput({ capital_question: buildSampling('What is the capital of France?', 100) });
    return buildResult(buildText(`The answer: ${JSON.stringify(response.content)}`));
  }),
  buildTool('test_input_required_result_list_roots', (call) => {
    const response = getInputResponses(call).client_roots;
    if (!isObject(response)) return requestInput({ client_roots: ROOTS });
    return buildResult(buildText(`The roots: ${JSON.stringify(response.roots)}`));
  }),
  buildTool('test_input_required_result_request_state', (call) => {
    const state = parseState(call);
    if (state === null || typeof getFormValue(call, 'confirm', 'ok') !== 'boolean')
      return requestInput(
        { confirm: buildElicitation('Please confirm', 'ok', 'boolean') },
        signState('confirm'),
      );
    return buildResult(buildText('state-ok'));
  }),
  buildTool('test_input_required_result_multiple_inputs', (call) => {
    const { greeting, client_roots: roots } = getInputResponses(call);
    const name = getFormValue(call, 'user_name', 'name');
    if (parseState(call) === null || name === undefined || !isObject(greeting) || !isObject(roots))
      return requestInput(
        {
          user_name: buildElicitation('What is your name?', 'name'),
          greeting: buildSampling('Generate a greeting', 50),
          client_roots: ROOTS,
        },
        signState('multiple'),
      );
    return buildResult(buildText(`${name}: ${JSON.stringify([greeting.content, roots.roots])}`));
  }),
  buildTool('test_input_required_result_multi_round', (call) => {
    const state = parseState(call);
    const name = getFormValue(call, 'step1', 'name');
    if (state === 'two') {
      const color = getFormValue(call, 'step2', 'color');
      if (color !== undefined) return buildResult(buildText(`Favorite color: ${color}`));
    }
    if (state === 'one' && name !== undefined)
      return requestInput(
        { step2: buildElicitation('Step 2: What is your favorite color?', 'color') },
        signState('two'),
      );
    return requestInput({ step1: buildElicitation('Step 1: What is your name?', 'name') }, signState('one'));
  }),
  buildTool('test_input_required_result_tampered_state', (call) => {
    if (parseState(call) === null || getFormValue(call, 'confirm', 'ok') === undefined)
      return requestInput(
        { confirm: buildElicitation('Please confirm', 'ok', 'boolean') },
        signState('tampered'),
      );
    return buildResult(buildText('state-ok'));
  }),
  buildTool('test_input_required_result_capabilities', (call) => {
    const capabilities = getCapabilities(call);
    const requests = {
      ...('sampling' in capabilities && { question: buildSampling('What is your name?', 50) }),
      ...('elicitation' in capabilities && { name: buildElicitation('What is your name?', 'name') }),
    };
    return Object.keys(getInputResponses(call)).length > 0
      ? buildResult(buildText('done'))
      : requestInput(requests);
  }),
];

const NO_ARGUMENTS: Prompt['arguments'] = [];
const buildArgument = (name: string) => ({ name, description: `Argument ${name}.`, required: true });
const buildPrompt = (name: string, args: Prompt['arguments'], messages: Prompt['messages']): Prompt => ({
  name,
  title: name,
  description: `Fixture ${name} of the conformance suite.`,
  arguments: args,
  messages,
});

const prompts: Prompt[] = [
  buildPrompt('test_simple_prompt', NO_ARGUMENTS, () =>
    buildUserMessage('This is a simple prompt for testing.'),
  ),
  buildPrompt('test_prompt_with_arguments', ['arg1', 'arg2'].map(buildArgument), ({ arg1, arg2 }) =>
    buildUserMessage(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
  ),
  buildPrompt('test_prompt_with_embedded_resource', [buildArgument('resourceUri')], ({ resourceUri }) => [
    { role: 'user', content: buildEmbedded(resourceUri!, 'Embedded resource content for testing.') },
    ...buildUserMessage('Please process the embedded resource above.'),
  ]),
  buildPrompt('test_prompt_with_image', NO_ARGUMENTS, () => [
    { role: 'user', content: image },
    ...buildUserMessage('Please analyze the image above.'),
  ]),
  buildPrompt('test_input_required_result_prompt', NO_ARGUMENTS, (_args, params) => {
    const context = getFormValue({ params }, 'user_context', 'context');
    if (context !== undefined) return buildUserMessage(`Context: ${context}`);
    const elicitation = buildElicitation('What context should the prompt use?', 'context');
    return { input: { inputRequests: { user_context: elicitation } } };
  }),
];

const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;
const buildResourceInfo = (uri: string, name: string, mimeType: string) => ({
  uri,
  name,
  title: name,
  description: name,
  mimeType,
});

const resources: ResourceKind[] = [
  {
    list: () => [
      buildResourceInfo('test://static-text', 'static text', 'text/plain'),
      buildResourceInfo('test://static-binary', 'static binary', 'image/png'),
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
      const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
      return [{ uri, mimeType: 'application/json', text }];
    },
  },
];

export const fixtures = createMcpRegistry([...plainTools, ...inputTools], { resources, prompts });
