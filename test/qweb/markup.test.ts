import { describe, expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { compileMarkup, MAX_LISTED_RECORDS } from '../../src/qweb/compile.ts';
import type { MarkupValue } from '../../src/qweb/expression.ts';
import { MAX_ARCH_CHARS, MAX_ARCH_NODES } from '../../src/qweb/parse.ts';
import { isSafeAddress } from '../../src/qweb/policy.ts';
import { renderMarkup } from '../../src/qweb/render.ts';

const compile = (arch: string) => compileMarkup(arch, { scripts: false });

function render(
  arch: string,
  values: Record<string, MarkupValue> = {},
  views: Record<string, string> = {},
): string {
  const templates = new Map(Object.entries(views).map(([key, view]) => [key, compile(view)]));
  return renderMarkup(compile(arch), {
    values,
    templates,
    records: new Map(),
    link: (address) => address,
    picture: () => '',
  });
}

describe('view markup', () => {
  it.each<[string, Record<string, MarkupValue>, string]>([
    ['<p t-out="a"/>', { a: '<b>&"' }, '<p>&lt;b&gt;&amp;&quot;</p>'],
    ['<p t-out="a">none</p>', {}, '<p>none</p>'],
    ['<p t-out="a">none</p>', { a: 0 }, '<p>0</p>'],
    ['<p t-out="a.b.c"/>', { a: { b: { c: 'x' } } }, '<p>x</p>'],
    ['<p t-out="a.constructor"/>', { a: {} }, '<p></p>'],
    ['<p t-out="a.length"/>', { a: [1] }, '<p></p>'],
    ['<p t-out="__proto__"/>', {}, '<p></p>'],
    ['<t><p t-if="a">1</p><p t-elif="b == 2">2</p><p t-else="">3</p></t>', { b: 2 }, '<p>2</p>'],
    ['<t><p t-if="not a and (b or c)">1</p></t>', { c: 'x' }, '<p>1</p>'],
    ['<t><p t-if="\'b\' in s and 2 not in l">1</p></t>', { s: 'abc', l: [1] }, '<p>1</p>'],
    [
      '<p t-foreach="l" t-as="e"><t t-out="e_index"/>:<t t-out="e.n"/></p>',
      { l: [{ n: 'a' }] },
      '<p>0:a</p>',
    ],
    ['<t><t t-set="x" t-value="a"/><i t-out="x"/></t>', { a: 'v' }, '<i>v</i>'],
    ['<t><t t-set="x"><b>v</b></t><i t-out="x"/></t>', {}, '<i><b>v</b></i>'],
    [
      '<a t-att-href="u" t-attf-title="to {{n}} and #{n}">x</a>',
      { u: '/a?b&c', n: '"' },
      '<a href="/a?b&amp;c" title="to &quot; and &quot;">x</a>',
    ],
    ['<a t-att-href="u"/>', { u: 'java\tscript:alert(1)' }, '<a href="#"></a>'],
    ['<input t-att-checked="a" t-att-disabled="b"/>', { a: true, b: false }, '<input checked="checked">'],
    ['<div><br/><!-- gone -->&nbsp;&amp;<![CDATA[<x>]]></div>', {}, '<div><br>\u00a0&amp;&lt;x&gt;</div>'],
    ['<p title="&quot;&lt;">x</p>', {}, '<p title="&quot;&lt;">x</p>'],
  ])('renders %s with %j', (arch, values, html) => {
    expect(render(arch, values)).toBe(html);
  });

  it('passes content and values to a called view', () => {
    const layout = '<html><title t-out="title or name"/><body><t t-out="0"/></body></html>';
    const page = '<t t-call="layout"><t t-set="title" t-valuef="{{name}}!"/><p>in</p></t>';
    expect(render(page, { name: 'N' }, { layout })).toBe(
      '<!doctype html><html><title>N!</title><body><p>in</p></body></html>',
    );
  });

  it.each<[string, RegExp]>([
    ['<div>\n  <p>\n</div>', /line 3, column \d+/],
    ['', /no element|line 1/],
    ['text', /line 1/],
    ['<a/><b/>', /must have a single root element/],
    ['<!DOCTYPE html><html/>', /cannot contain declarations/],
    ['<!ENTITY x "y"><p/>', /cannot contain declarations/],
    ['<?php x ?><p/>', /declarations or/],
    ['<p>&unknown;</p>', /entity/i],
    ['<p t-if="a + 1"/>', /t-if: only paths/],
    ['<p t-if="f(1)"/>', /is not expected/],
    ['<p t-if=""/>', /the expression is empty/],
    ['<div><p t-else="">x</p></div>', /must follow/],
    ['<p t-foreach="a"/>', /t-as/],
    ['<p t-raw="a"/>', /t-raw is not a directive. Use t-out/],
    ['<p groups="base.group_user"/>', /groups is not supported here/],
    ['<style>&lt;/style>&lt;script></style>', /style may only contain text/],
    ['<style t-out="a"/>', /t-out is not allowed in style/],
    ['<t t-records="res.partner" t-as="x" t-domain="[(1,"/>', /t-domain/],
    [`<t t-records="res.partner" t-as="x" t-limit="${MAX_LISTED_RECORDS + 1}"/>`, /t-limit/],
    ['<script>alert(1)</script>', /script is allowed only where scripts are/],
    ['<SCRIPT>alert(1)</SCRIPT>', /only where scripts are/],
    ['<svg:script xmlns:svg="x"/>', /only where scripts are/],
    ['<img onerror="x"/>', /only where scripts are/],
    ['<img t-att-onerror="x"/>', /only where scripts are/],
    ['<img t-attf-OnError="x"/>', /only where scripts are/],
    ['<iframe srcdoc="x"/>', /only where scripts are/],
    ['<a href=" javascript:x"/>', /only where scripts are/],
    ['<a href="data:text/html,x"/>', /only where scripts are/],
    ['<form action="vbscript:x"/>', /only where scripts are/],
    ['<meta http-equiv="refresh" content="0"/>', /only where scripts are/],
    ['<base href="//x"/>', /only where scripts are/],
    ['<svg><animate attributeName="href" values="javascript:x"/></svg>', /only where scripts are/],
    ['<input type="Password"/>', /only where scripts are/],
    ['<input t-attf-type="pass{{a}}"/>', /only where scripts are/],
    ['<noscript><p/></noscript>', /noscript is not allowed/],
  ])('rejects %s, and reports the position', (arch, message) => {
    expect(() => compile(arch)).toThrow(message);
    expect(() => compile(arch)).toThrow(/\(line \d+, column \d+\)$/);
  });

  it('keeps scripts if they are allowed', () => {
    const arch = '<p onclick="a()"><script>if (a &lt; b) c()</script></p>';
    const compiledMarkup = compileMarkup(arch, { scripts: true });
    const input = {
      values: {},
      templates: new Map(),
      records: new Map(),
      link: (address: string) => address,
      picture: () => '',
    };
    expect(renderMarkup(compiledMarkup, input)).toBe('<p onclick="a()"><script>if (a < b) c()</script></p>');
  });

  it.each<[string, boolean]>([
    ['/a', true],
    ['#x', true],
    ['https://example.org', true],
    ['mailto:a@b.c', true],
    ['data:image/png;base64,AA==', true],
    ['JavaScript:x', false],
    ['\u0001javascript:x', false],
    ['java\nscript:x', false],
    ['data:image/svg+xml;base64,AA==', false],
    ['blob:x', false],
  ])('classifies the URL %j as safe: %s', (address, is) => {
    expect(isSafeAddress(address)).toBe(is);
  });
});

/** Expands to 640,000 characters. */
const DOUBLING = `<t t-set="a" t-valuef="&lt;aaaaaaaaa"/>${'<t t-set="a" t-valuef="{{a}}{{a}}"/>'.repeat(16)}`;

describe('markup limits', () => {
  it.each<[string, string, Record<string, string>]>([
    ['views that call each other', '<t t-call="a"/>', { a: '<t t-call="b"/>', b: '<t t-call="a"/>' }],
    ['nested loops', buildNested(8, '<t t-foreach="l" t-as="e">', '</t>', '<p/>'), {}],
    [
      'doubling texts',
      `<t><t t-set="a" t-valuef="xxxxxxxxxx"/>${'<t t-set="a" t-valuef="{{a}}{{a}}"/>'.repeat(60)}</t>`,
      {},
    ],
    [
      'doubling parts',
      `<t><t t-set="a">xxxxxxxxxx</t>${'<t t-set="a"><t t-out="a"/><t t-out="a"/></t>'.repeat(60)}</t>`,
      {},
    ],
    [
      'long texts from one piece',
      `<t>${DOUBLING}<t t-set="b" t-valuef="${'{{a}}'.repeat(20_000)}"/></t>`,
      {},
    ],
    ['searches in long texts', `<t>${DOUBLING}<p t-if="'b' in a"/></t>`, {}],
    [
      'attributes with many pieces',
      `<p title="x">${`<i t-attf-title="${'{{l}}'.repeat(5_000)}"/>`.repeat(8)}</p>`.replace(
        '<p ',
        '<p t-foreach="l" t-as="e" ',
      ),
      {},
    ],
  ])('stop the rendering of %s', (_what, arch, views) => {
    const l = Array.from({ length: 50 }, (_, index) => index);
    expect(() => render(arch, { l }, views)).toThrow(/too long|longer than|in a loop|at most/);
  });

  it.each<[string, string]>([
    ['levels', buildNested(limits.site.depth + 1, '<p>', '</p>', '')],
    ['characters', `<p>${'x'.repeat(MAX_ARCH_CHARS)}</p>`],
    ['elements', `<p>${'<i/>'.repeat(MAX_ARCH_NODES + 1)}</p>`],
    ['brackets', `<p t-if="${'('.repeat(240)}a${')'.repeat(240)}"/>`],
  ])('reject a view with too many %s', (_what, arch) => {
    expect(() => compile(arch)).toThrow(/at most|too deep/);
  });
});

function buildNested(levels: number, open: string, close: string, inner: string): string {
  return `${open.repeat(levels)}${inner}${close.repeat(levels)}`;
}
