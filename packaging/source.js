// The public class and its events, read off their source: names, types and descriptions are
// written once, where the code is.

import { resolve } from 'node:path';
import ts from 'typescript';
import { root } from './bundle.js';

const api = resolve(root, 'www/api.js');
const events = resolve(root, 'www/events.js');
const host = resolve(root, 'www/embed/host.js');

const program = ts.createProgram([api, events, host], {
  ...ts.parseJsonConfigFileContent(
    ts.readConfigFile(resolve(root, 'tsconfig.json'), ts.sys.readFile).config,
    ts.sys,
    root,
  ).options,
  noEmit: false,
  declaration: true,
  emitDeclarationOnly: true,
  stripInternal: true,
});
const checker = program.getTypeChecker();

/** @param {ts.Node} node @param {string} name */
const tags = (node, name) => ts.getJSDocTags(node).filter((tag) => tag.tagName.text === name);

/** @param {ts.JSDocTag['comment']} comment */
const textOf = (comment) =>
  (ts.getTextOfJSDocComment(comment) ?? '').replaceAll(/\s*\n\s*/g, ' ').trim();

/** @param {ts.Node} node */
const describedAs = (node) => {
  const docs = ts.getJSDocCommentsAndTags(node).find(ts.isJSDoc);
  return textOf(docs?.comment);
};

/** @param {ts.Node} node */
const typeText = (node) => checker.typeToString(checker.getTypeAtLocation(node));

/** `name - what it is`, as the tags of the class have it. @param {ts.Node} node @param {string} tag */
const listed = (node, tag) =>
  tags(node, tag).map(({ comment }) => {
    const text = textOf(comment);
    const cut = text.indexOf('- ');
    const wide = text.startsWith('--');
    const at = wide ? text.indexOf(' - ') + 1 : cut;
    return { name: text.slice(0, at).trim(), description: text.slice(at + 2).trim() };
  });

function readClass() {
  const file = program.getSourceFile(api);
  const found = file?.statements.find(ts.isClassDeclaration);
  if (!file || !found) throw new Error('www/api.js has no class');
  const properties = found.members.filter(ts.isGetAccessor).map((member) => ({
    name: member.name.getText(),
    attribute: textOf(tags(member, 'attr')[0]?.comment),
    usual: textOf(tags(member, 'default')[0]?.comment),
    type: typeText(member),
    description: describedAs(member),
  }));
  const methods = found.members.filter(ts.isMethodDeclaration).map((member) => ({
    name: member.name.getText(),
    parameters: member.parameters.map((parameter) => ({
      name: parameter.name.getText(),
      type: typeText(parameter),
      description: textOf(ts.getJSDocParameterTags(parameter)[0]?.comment),
    })),
    returns: checker.typeToString(
      checker.getReturnTypeOfSignature(
        /** @type {ts.Signature} */ (checker.getSignatureFromDeclaration(member)),
      ),
    ),
    description: describedAs(member),
  }));
  return {
    name: found.name?.text ?? '',
    description: describedAs(found),
    slots: listed(found, 'slot'),
    parts: listed(found, 'csspart'),
    colours: listed(found, 'cssprop'),
    properties,
    methods,
  };
}

function readEvents() {
  const file = program.getSourceFile(events);
  if (!file) throw new Error('there is no www/events.js');
  /** @type {Map<string, ts.JSDocTypedefTag>} */
  const types = new Map();
  // All comments before a statement belong to it, not only the last.
  for (const statement of file.statements) {
    const { jsDoc = [] } = /** @type {{ jsDoc?: ts.JSDoc[] }} */ (
      /** @type {unknown} */ (statement)
    );
    for (const tag of jsDoc.flatMap((doc) => [...(doc.tags ?? [])])) {
      if (ts.isJSDocTypedefTag(tag)) types.set(tag.name?.getText(file) ?? '', tag);
    }
  }
  const map = types.get('AtLeastOnceEventMap')?.typeExpression;
  if (!map || !ts.isJSDocTypeLiteral(map)) throw new Error('no AtLeastOnceEventMap');
  return (map.jsDocPropertyTags ?? []).map((tag) => {
    const type = tag.typeExpression?.type.getText(file) ?? '';
    const detail = types.get(/<(\w+)>/.exec(type)?.[1] ?? '');
    const description = textOf(/** @type {ts.JSDoc} */ (detail?.parent)?.comment);
    return { name: tag.name.getText(file), type, description };
  });
}

export const element = readClass();
export const eventList = readEvents();

/** The declarations that TypeScript writes for these files, by name. */
export function declarations() {
  /** @type {Map<string, string>} */
  const written = new Map();
  for (const name of [api, events, host]) {
    program.emit(program.getSourceFile(name), (file, text) => {
      written.set(file.replaceAll('\\', '/').split('/').at(-1) ?? '', text);
    });
  }
  return written;
}
