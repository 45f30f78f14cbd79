import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

const FEW_PARAMETERS = {
  selector:
    ":function[params.length>4]:not(MethodDefinition[kind='constructor'] > FunctionExpression)",
  message: 'Give a function four parameters at most.',
};

export default tseslint.config(
  {
    ignores: [
      '**/dist/',
      '**/node_modules/',
      'coverage/',
      'test/.snippets/',
      // Packages of their own, whose dependencies are there only when they run; tsc checks them then.
      'apps/examples/prisma/',
      'libs/tenant/test/prisma-migrate/prisma.config.ts',
      'bench/',
      'matrix/existing/',
      'matrix/overlay/',
      'matrix/realistic/src/',
      'matrix/shapes/',
      'matrix/.cache/',
      'docs/.pages/',
      'docs/.dist/',
      'docs/.vitepress/cache/',
    ],
  },
  eslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: {
        project: [
          './tsconfig.json',
          './libs/panel/ui/tsconfig.json',
          './libs/graphql/ui/tsconfig.json',
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      // Nest's DI names classes as values in decorators; a bare Function is its own vocabulary.
      '@typescript-eslint/no-unsafe-function-type': 'off',
      'no-console': 'error',
    },
  },
  {
    files: ['libs/*/src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'max-lines-per-function': ['error', 40],
      // Constructors aside: Nest injects what they list.
      'no-restricted-syntax': ['error', FEW_PARAMETERS],
    },
  },
  {
    files: ['libs/tenant/src/**/*.ts'],
    ignores: ['**/*.spec.ts', 'libs/tenant/src/scope/tenant-scope.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        FEW_PARAMETERS,
        {
          selector: "NewExpression[callee.name='TenantContextMissingError']",
          message:
            'Call requiredTenant() or missingTenant(): this error shows that a hidden tenant exists.',
        },
      ],
    },
  },
  {
    files: ['**/*.spec.ts', '**/*.e2e-spec.ts', '**/test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-redundant-type-constituents': 'off',
    },
  },
  {
    files: ['**/*.js', '**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: {
        AbortController: 'readonly',
        document: 'readonly',
        Buffer: 'readonly',
        console: 'readonly',
        fetch: 'readonly',
        process: 'readonly',
        setTimeout: 'readonly',
        URL: 'readonly',
      },
    },
  },
);
