import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Config } from '../src/config.ts';
import { type TraceSpan, type Tracing, tracing } from '../src/trace.ts';
import { version } from '../src/version.ts';

/**
 * Sends traces to OTEL_EXPORTER_OTLP_ENDPOINT. Must be imported only if that is set, because the packages are slow to
 * load.
 * @returns a function that sends the remaining traces at shutdown
 */
export function startTracing({ otlp }: Pick<Config, 'otlp'>): () => Promise<void> {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': otlp!.serviceName, 'service.version': version }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(otlp!.share) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: `${otlp!.endpoint}/v1/traces` }),
        scheduledDelayMillis: otlp!.delay,
      }),
    ],
  });
  tracing.now = createTracing(provider);
  return async () => {
    tracing.now = null;
    await provider.shutdown();
  };
}

function createTracing(provider: TracerProvider): Tracing {
  const tracer = provider.getTracer('atrium', version);
  const runningStorage = new AsyncLocalStorage<Context>();
  const startChildSpan = ({ name, attributes, from }: TraceSpan, kind: SpanKind, parent: Context): Span =>
    tracer.startSpan(name, { kind, attributes: attributes }, from ? parseRemoteContext(from) : parent);
  return {
    async runSpan(traceSpan, run) {
      const parent = runningStorage.getStore();
      const span = startChildSpan(
        traceSpan,
        parent ? SpanKind.INTERNAL : SpanKind.SERVER,
        parent ?? ROOT_CONTEXT,
      );
      try {
        return await runningStorage.run(trace.setSpan(ROOT_CONTEXT, span), () =>
          run((attributes) => span.setAttributes(attributes)),
        );
      } catch (error) {
        recordFailure(span, error);
        throw error;
      } finally {
        span.end();
      }
    },
    startSpan(traceSpan) {
      const parent = runningStorage.getStore();
      // Queries outside a request, such as polling, are not traced.
      if (!parent) return () => undefined;
      const span = startChildSpan(traceSpan, SpanKind.CLIENT, parent);
      return (error) => {
        if (error !== undefined) recordFailure(span, error);
        span.end();
      };
    },
  };
}

/** Records only the error code, because messages may contain values. */
function recordFailure(span: Span, error: unknown): void {
  const { code, kind } = error as { code?: string; kind?: string };
  span.setAttribute('error.type', kind ?? code ?? (error as Error).name);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

const PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Ignores a malformed header. */
function parseRemoteContext(header: string): Context {
  const [, traceId = '', spanId = '', flags = '0'] = PARENT.exec(header) ?? [];
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}
