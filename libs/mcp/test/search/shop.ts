import {
  Body,
  Controller,
  Delete,
  Get,
  Param,
  Patch,
  Post,
  Query,
  type Type,
} from '@nestjs/common';
import { McpTool } from '../../src/publish/decorators/mcp-tool.decorator.js';
import type { McpToolOptions } from '../../src/mcp-tool.options.js';

// 300 tools of a shop, each a real route: ten actions on 28 resources, and twenty actions of one resource.

const RESOURCES = [
  ['orders', 'order'],
  ['payments', 'payment'],
  ['invoices', 'invoice'],
  ['customers', 'customer'],
  ['products', 'product'],
  ['shipments', 'shipment'],
  ['subscriptions', 'subscription'],
  ['coupons', 'coupon'],
  ['users', 'user'],
  ['reports', 'report'],
  ['webhooks', 'webhook'],
  ['tickets', 'support ticket'],
  ['carts', 'shopping cart'],
  ['warehouses', 'warehouse'],
  ['reviews', 'product review'],
  ['employees', 'employee'],
  ['timesheets', 'timesheet'],
  ['contracts', 'contract'],
  ['leads', 'sales lead'],
  ['campaigns', 'marketing campaign'],
  ['suppliers', 'supplier'],
  ['returns', 'return'],
  ['categories', 'product category'],
  ['taxRates', 'tax rate'],
  ['currencies', 'currency'],
  ['notifications', 'notification'],
  ['documents', 'document'],
  ['meetings', 'meeting'],
] as const;

type Verb = 'GET' | 'POST' | 'PATCH' | 'DELETE';

const ACTIONS: readonly [
  name: string,
  verb: Verb,
  path: string,
  describe: (noun: string) => string,
][] = [
  ['list', 'GET', '', (noun) => `Lists every ${noun}, the newest first`],
  ['get', 'GET', ':id', (noun) => `Reads one ${noun}`],
  ['create', 'POST', '', (noun) => `Creates a ${noun}`],
  ['update', 'PATCH', ':id', (noun) => `Changes the fields of a ${noun}`],
  ['delete', 'DELETE', ':id', (noun) => `Deletes a ${noun} for good`],
  [
    'archive',
    'POST',
    ':id/archive',
    (noun) => `Takes a ${noun} out of the lists and keeps its data`,
  ],
  ['restore', 'POST', ':id/restore', (noun) => `Brings an archived ${noun} back`],
  ['export', 'GET', 'export.csv', (noun) => `Downloads all data of each ${noun} as CSV`],
  ['history', 'GET', ':id/history', (noun) => `Shows who changed a ${noun}, and when`],
  ['assign', 'POST', ':id/assign', (noun) => `Makes a colleague responsible for a ${noun}`],
];

const SPECIAL: readonly [resource: string, action: string, description: string][] = [
  ['orders', 'refund', 'Pays the money of an order back, in full or in part'],
  ['payments', 'capture', 'Collects a payment that the bank has authorized'],
  ['invoices', 'send', 'Emails an invoice to its customer as PDF'],
  ['customers', 'merge', 'Joins two records of the same customer'],
  ['products', 'adjustStock', 'Corrects how many pieces of a product are in stock'],
  ['shipments', 'track', 'Tells where a parcel is now'],
  ['subscriptions', 'pause', 'Stops billing for some months'],
  ['coupons', 'redeem', 'Applies a discount code to a cart'],
  ['users', 'resetPassword', 'Sends a link that sets a new password'],
  ['reports', 'salesByMonth', 'Adds up the revenue of each month of a year'],
  ['webhooks', 'test', 'Delivers a sample event to a URL'],
  ['tickets', 'escalate', 'Hands a complaint over to a manager'],
  ['carts', 'checkout', 'Turns a shopping cart into an order'],
  ['warehouses', 'transfer', 'Moves goods from one location to another'],
  ['reviews', 'moderate', 'Hides a comment that breaks the rules'],
  ['employees', 'onboard', 'Prepares the first day of somebody new'],
  ['timesheets', 'approve', 'Confirms the hours that somebody worked'],
  ['contracts', 'sign', 'Signs a contract electronically'],
  ['leads', 'convert', 'Makes a customer of a prospect'],
  ['campaigns', 'schedule', 'Plans when a newsletter goes out'],
];

/** What people ask for, and the tool they mean. */
export const QUESTIONS: readonly [query: string, tool: string][] = [
  ['refund an order', 'orders_refund'],
  ['pay the money back', 'orders_refund'],
  ['cancel and delete an order', 'orders_delete'],
  ['show me the latest orders', 'orders_list'],
  ['create invoice', 'invoices_create'],
  ['email the invoice to the client', 'invoices_send'],
  ['invoice pdf', 'invoices_send'],
  ['merge duplicate customers', 'customers_merge'],
  ['adjustStock', 'products_adjustStock'],
  ['how many pieces are in stock', 'products_adjustStock'],
  ['track parcel', 'shipments_track'],
  ['where is my parcel', 'shipments_track'],
  ['pause billing of a subscription', 'subscriptions_pause'],
  ['apply a discount code', 'coupons_redeem'],
  ['reset password', 'users_resetPassword'],
  ['users_resetPassword', 'users_resetPassword'],
  ['new password link for a user', 'users_resetPassword'],
  ['revenue per month', 'reports_salesByMonth'],
  ['sales by month', 'reports_salesByMonth'],
  ['test webhook', 'webhooks_test'],
  ['send sample event', 'webhooks_test'],
  ['escalate complaint', 'tickets_escalate'],
  ['check out the cart', 'carts_checkout'],
  ['checkout', 'carts_checkout'],
  ['move goods between warehouses', 'warehouses_transfer'],
  ['hide a review comment', 'reviews_moderate'],
  ['onboarding of a new employee', 'employees_onboard'],
  ['approve hours', 'timesheets_approve'],
  ['sign contracts', 'contracts_sign'],
  ['convert a lead', 'leads_convert'],
  ['schedule newsletter', 'campaigns_schedule'],
  ['export customers as csv', 'customers_export'],
  ['who changed this contract', 'contracts_history'],
  ['history of a tax rate', 'taxRates_history'],
  ['tax rates list', 'taxRates_list'],
  ['taxrates', 'taxRates_list'],
  ['update category', 'categories_update'],
  ['product categories', 'categories_list'],
  ['delete currency', 'currencies_delete'],
  ['restore an archived meeting', 'meetings_restore'],
  ['assign ticket to a colleague', 'tickets_assign'],
  ['create a meeting', 'meetings_create'],
  ['shipmnts track', 'shipments_track'],
  ['supplier get', 'suppliers_get'],
];

/** The controllers of the 300 tools. Calls answer with what the route got. */
export function shopControllers(): Type[] {
  return RESOURCES.map(([resource, noun]) => {
    const tools = [
      ...ACTIONS.map(([action, verb, path, describe]) => ({
        action,
        verb,
        path,
        description: describe(noun),
      })),
      ...SPECIAL.filter(([of]) => of === resource).map(([, action, description]) => ({
        action,
        verb: 'POST' as const,
        path: `:id/${action}`,
        description,
      })),
    ];
    class ShopController {}
    Object.defineProperty(ShopController, 'name', { value: `${resource}Controller` });
    for (const tool of tools) addRoute(ShopController, resource, tool);
    Controller(resource)(ShopController);
    return ShopController;
  });
}

interface ShopTool {
  readonly action: string;
  readonly verb: Verb;
  readonly path: string;
  readonly description: string;
}

const ROUTES = { GET: Get, POST: Post, PATCH: Patch, DELETE: Delete };

/** Adds a method with its decorators, as the compiler would. */
function addRoute(
  type: Type,
  resource: string,
  { action, verb, path, description }: ShopTool,
): void {
  const prototype = type.prototype as object;
  const hasId = path.startsWith(':id');
  const handler = (id: unknown, given: unknown) => ({ tool: `${resource}_${action}`, id, given });
  Object.defineProperty(prototype, action, { value: handler, configurable: true, writable: true });
  const descriptor = Object.getOwnPropertyDescriptor(prototype, action) as PropertyDescriptor;
  const options: McpToolOptions = { name: `${resource}_${action}`, description };
  for (const decorate of [ROUTES[verb](path), McpTool(options)]) {
    decorate(prototype, action, descriptor);
  }
  (hasId ? Param('id') : Query('page'))(prototype, action, 0);
  if (verb === 'POST' || verb === 'PATCH') Body('note')(prototype, action, 1);
  Reflect.defineMetadata('design:paramtypes', [String, String], prototype, action);
}
