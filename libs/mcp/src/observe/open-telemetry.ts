import { openTelemetry as registered } from '@fledge/core/packages';

export type OpenTelemetryApi = typeof import('@opentelemetry/api');

/** The OpenTelemetry API once an SDK is registered; otherwise undefined. */
export const openTelemetry = registered as () => OpenTelemetryApi | undefined;
