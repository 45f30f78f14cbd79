// The page of a package's options, from the interfaces that declare them.
import ts from 'typescript';
import { commentOf } from './declarations.mjs';
import { GENERATED } from './sources.mjs';

/** Types with members worth a table below that of the options they are part of. */
const PART = /(Options|Limits|Record)$/;
/** Types that several options extend: they are listed once. */
const SHARED = /^(SubscriptionLimits|ProtectionOptions|QueryOptions)$/;
const LITERAL = /^('[^']*'|[\d_]+|true|false|\[.*\]|\/.*\/|process\.env\..*|\w+\(\))$/;

/**
 * @param title name of the package
 * @param roots heading and type of each table
 * @param declarations of declarationsOf()
 */
export function optionsPage(title, roots, declarations) {
  const headings = new Map(roots.map(([heading, name]) => [name, heading]));
  const linkTo = (name) => `[${name}](#${slugOf(headings.get(name) ?? name)})`;
  const done = new Set(headings.keys());
  const sections = [];
  const add = (heading, name) => {
    const node = declarations.get(name);
    if (!node) throw new Error(`${title}: the type ${name} is not in the files of sources.mjs.`);
    const { members, parts } = contentsOf(node, declarations);
    sections.push(sectionOf({ heading, node, members, parts, declarations, linkTo }));
    const nested = members.map(({ member }) => partOf(member, declarations));
    for (const part of [...parts, ...nested]) {
      if (part === undefined || done.has(part)) continue;
      done.add(part);
      add(part, part);
    }
  };
  for (const [heading, name] of roots) add(heading, name);
  return [GENERATED, `# Options of ${title}`, ...sections].join('\n\n') + '\n';
}

function sectionOf({ heading, node, members, parts, declarations, linkTo }) {
  const rows = members.map((entry) => rowOf(entry, { heading, declarations, linkTo }));
  const text = commentOf(node).text.replace(/^Options of [^.]*`[^`]*`\.\s?/, '');
  const more = parts.map(linkTo).join(' and ');
  const intro = [text, more && `The options of ${more} stand beside these.`].filter(Boolean);
  const head = ['| Option | Default | Effect |', '| --- | --- | --- |'];
  const table = rows.length === 0 ? [] : [[...head, ...rows].join('\n')];
  return [`## ${heading}`, ...(intro.length > 0 ? [intro.join(' ')] : []), ...table].join('\n\n');
}

/** The members of a type, and the names of the types with a table of their own that it extends. */
function contentsOf(node, declarations) {
  const own = node.members
    .filter(({ name }) => name)
    .map((member) => ({ member, isOptional: member.questionToken !== undefined }));
  const bases = (node.heritageClauses ?? []).flatMap((clause) => clause.types);
  const inherited = bases.map((base) => inheritedOf(base, declarations));
  const names = new Set(own.map(({ member }) => member.name.text));
  const others = inherited
    .flatMap(({ members }) => members)
    .filter(({ member }) => !names.has(member.name.text));
  return {
    members: [...own, ...others],
    parts: inherited.flatMap(({ parts }) => parts),
  };
}

function inheritedOf({ expression, typeArguments }, declarations) {
  const [base, keys] = typeArguments ?? [];
  const isPartial = expression.text === 'Partial';
  const isPick = expression.text === 'Pick';
  const written = isPartial || isPick ? base.typeName?.text : expression.text;
  const name = aliasedBy(written, declarations);
  const declared = declarations.get(name);
  if (!declared) return { members: [], parts: [] };
  if (!isPartial && !isPick && SHARED.test(name)) {
    return { members: [], parts: [name] };
  }
  const { members, parts } = contentsOf(declared, declarations);
  if (isPartial)
    return { members: members.map((entry) => ({ ...entry, isOptional: true })), parts };
  if (!isPick) return { members, parts };
  const picked = keys.getText();
  return {
    members: members.filter(({ member }) => picked.includes(`'${member.name.text}'`)),
    parts,
  };
}

function partOf(member, declarations) {
  return namesIn(member.type).find((name) => {
    const node = declarations.get(name);
    return PART.test(name) && node !== undefined && ts.isInterfaceDeclaration(node);
  });
}

function namesIn(type) {
  const names = [];
  const visit = (node) => {
    if (ts.isTypeReferenceNode(node)) names.push(node.typeName.getText());
    ts.forEachChild(node, visit);
  };
  if (type) visit(type);
  return names;
}

function rowOf({ member, isOptional }, { heading, declarations, linkTo }) {
  const { text, tags } = commentOf(member);
  const part = partOf(member, declarations);
  const type = part ?? namesIn(member.type).find((name) => declarations.has(name));
  const effect = text || (type ? commentOf(declarations.get(type)).text : '');
  const link = part ? `See ${linkTo(part)}.` : '';
  if (!effect && !link) {
    throw new Error(`${heading}: the option ${member.name.text} has no comment. Write one.`);
  }
  const otherwise = isOptional ? (part ? 'see there' : 'none') : 'required';
  const cells = [
    `\`${member.name.text}: ${typeOf(member)}\``,
    defaultOf(tags.default) ?? otherwise,
    [effect, link].filter(Boolean).join(' '),
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function typeOf(member) {
  if (ts.isMethodSignature(member)) return 'function';
  const types = ts.isUnionTypeNode(member.type) ? member.type.types : [member.type];
  const texts = types.map((type) => {
    const text = type.getText().replace(/\s+/g, ' ');
    return text.includes('=>') ? 'function' : text.replace(/^readonly /, '');
  });
  return texts.filter((text) => text !== 'undefined').join(' | ');
}

function defaultOf(text) {
  if (!text) return undefined;
  if (LITERAL.test(text)) return `\`${text}\``;
  return text.replace(/^[\d_]+(?= \()/, '`$&`');
}

/** The type that an alias such as `type RouteQueryOptions = QueryOptions<...>` stands for. */
function aliasedBy(name, declarations) {
  const node = declarations.get(name);
  return node && ts.isTypeAliasDeclaration(node) ? node.type.typeName.text : name;
}

/** The anchor of a heading, as GitHub and VitePress make it. */
function slugOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
}
