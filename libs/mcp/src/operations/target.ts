import type { FoundResource } from '../catalogue/catalogue.js';
import type { Prompt } from '../catalogue/prompt.js';
import type { Resource } from '../catalogue/resource.js';
import type { LocalResource } from './extension.js';
import type { CallableTool } from './tool-caller.js';

/** What a request names. It is looked up once, and passed on with the request. */
export type Target =
  | { readonly kind: 'tool'; readonly tool: CallableTool }
  | { readonly kind: 'prompt'; readonly prompt: Prompt }
  | { readonly kind: 'resource'; readonly found: FoundResource }
  | { readonly kind: 'template'; readonly template: Resource }
  /** A resource of an extension. */
  | { readonly kind: 'unlisted'; readonly resource: LocalResource };

/** The scopes that a caller must have. */
export function requiredScopes(target: Target): readonly string[] {
  switch (target.kind) {
    case 'tool':
      return target.tool.scopes;
    case 'prompt':
      return target.prompt.scopes;
    case 'resource':
      return target.found.resource.scopes;
    case 'template':
      return target.template.scopes;
    case 'unlisted':
      return target.resource.scopes;
  }
}
