// Oxlint rules of this repository.

const MOST_PARAMETERS = 4;

/**
 * Limits the number of parameters. Constructors are exempt, because NestJS injects their
 * parameters.
 */
const fewParameters = {
  create: (context) => {
    const check = (node) => {
      const { parent } = node;
      const isConstructor = parent.type === 'MethodDefinition' && parent.kind === 'constructor';
      if (node.params.length > MOST_PARAMETERS && !isConstructor) {
        context.report({ node, message: 'Give a function four parameters at most.' });
      }
    };
    return {
      FunctionDeclaration: check,
      FunctionExpression: check,
      ArrowFunctionExpression: check,
    };
  },
};

const noMissingTenantError = {
  create: (context) => ({
    NewExpression: (node) => {
      if (node.callee.name !== 'TenantContextMissingError') return;
      const message =
        'Call requiredTenant() or missingContext(): this error shows that a hidden tenant exists.';
      context.report({ node, message });
    },
  }),
};

export default {
  meta: { name: 'fledge' },
  rules: { 'few-parameters': fewParameters, 'no-missing-tenant-error': noMissingTenantError },
};
