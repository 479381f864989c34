/**
 * The timeline: a lane for the queue, each worker, the vendor and the ledger. It keeps to itself
 * what is only about looking: how large it is drawn, and what is pointed at.
 *
 * @import { Run } from '../core.js'
 * @import { Axis } from '../playback.js'
 * @import { Bar, Depth } from './flat.js'
 * @import { Layout } from './timeline/layout.js'
 * @import { Tip } from './timeline/tip.js'
 * @import { Viewport } from './timeline/viewport.js'
 */
import { html } from 'lit';
import { AsyncDirective } from 'lit/async-directive.js';
import { directive } from 'lit/directive.js';
import { Keys } from './timeline/keys.js';
import { layoutOf } from './timeline/layout.js';
import { legend } from './timeline/legend.js';
import { marksList } from './timeline/list.js';
import { stage } from './timeline/stage.js';
import { barAt, depthAt, happened, markAt, placeOf } from './timeline/targets.js';
import { aboutBar, aboutDepth, aboutEvent, tipView } from './timeline/tip.js';
import { tools } from './timeline/tools.js';
import { followed, isShown, mostZoom, panned, shown, WHOLE, zoomed } from './timeline/viewport.js';

/**
 * @typedef {object} TimelineData
 * @property {Run} run
 * @property {Axis} axis
 * @property {number} cursor
 * @property {number} us
 * @property {boolean} playing
 * @property {number} width
 * @property {boolean} touched whether a setting was changed since the last run
 * @property {number | null} selected the event that is looked at everywhere in the lab
 * @property {(event: number | null) => void} select
 */

/** @typedef {{ x: number, mark?: number, bar?: Bar | undefined, depth?: Depth | undefined }} Hover */

/** How far a pointer may move and still mean the place where it went down. */
const SLIP = 6;

class Timeline extends AsyncDirective {
  /** @type {TimelineData | undefined} */
  #data;
  /** @type {Layout | undefined} */
  #layout;
  /** @type {Viewport} */
  #view = WHOLE;
  /** What the pointer is on. @type {Hover | undefined} */
  #hover;
  /** The mark that the arrow keys have come to, and whether they are at work here. */
  #active = 0;
  #focused = false;
  /** @type {{ x: number, from: number, moved: boolean } | undefined} */
  #drag;
  #open = false;
  /** The last moment that was drawn. */
  #us = -1;
  #keys = new Keys({
    walk: (by) => this.#walk(by),
    walkTo: (end) => this.#go(end === 'first' ? 0 : this.#count - 1),
    choose: () => this.#choose(this.#active),
    leave: () => this.#leave(),
    enlarge: (by) => this.#enlarge(by),
    whole: () => this.#look(WHOLE),
    pan: (part) => this.#pan(part),
  });

  /** @override @param {TimelineData} data */
  render(data) {
    if (this.#data && this.#data.run !== data.run) this.#hover = undefined;
    this.#data = data;
    this.#layout = layoutOf(data, this.#view.zoom);
    const { endMs } = data.axis;
    // The picture goes with the playhead, and stays where the reader has moved it otherwise.
    if (this.#us !== data.us && this.#view.zoom > 1) {
      const ms = data.axis.toMs(data.us);
      this.#view = data.playing ? followed(this.#view, ms, endMs) : shown(this.#view, ms, endMs);
    }
    this.#us = data.us;
    this.#active = Math.max(0, Math.min(this.#active, this.#count - 1));
    return this.#template(data, this.#layout);
  }

  /** @param {TimelineData} data @param {Layout} layout */
  #template(data, layout) {
    const { g, unit } = layout;
    const offset = g.offset(this.#view);
    const { endMs } = data.axis;
    const most = mostZoom(data.run.summary.events, data.width / unit);
    return html`<div class="timeline-view" @keydown=${this.#keys.handle}>
      <div class="stage" .style=${`height:${g.height * unit}px`}
        @pointermove=${this.#point} @pointerleave=${this.#unpoint}
        @pointerdown=${this.#press} @pointerup=${this.#release} @pointercancel=${this.#unpoint}>
        ${stage({ ...data, layout, offset, hovered: this.#hover?.mark ?? -1 })}
        ${marksList({
          data,
          layout,
          offset,
          count: this.#count,
          active: this.#active,
          focus: (focused) => this.#focus(focused),
        })}
        ${tipView(this.#tip(data, layout, offset), data.width)}
      </div>
      <div class="timeline-foot">
        ${legend(data.run, this.#open, (open) => {
          this.#open = open;
          this.#draw();
        })}
        ${tools({
          zoom: this.#view.zoom,
          most,
          earlier: this.#view.from > 0,
          later: this.#view.zoom > 1 && this.#view.from < endMs - endMs / this.#view.zoom - 0.5,
          enlarge: (by) => this.#enlarge(by),
          pan: (part) => this.#pan(part),
          whole: () => this.#look(WHOLE),
        })}
      </div>
    </div>`;
  }

  /** How many marks have happened. */
  get #count() {
    if (!this.#layout || !this.#data) return 0;
    return happened(this.#layout.targets, this.#data.cursor);
  }

  #draw() {
    if (this.#data && this.isConnected) this.setValue(this.render(this.#data));
  }

  /** @param {Viewport} view */
  #look(view) {
    this.#view = view;
    this.#hover = undefined;
    this.#draw();
  }

  /** @param {1 | -1} by */
  #enlarge(by) {
    const data = this.#data;
    if (!data || !this.#layout) return;
    const most = mostZoom(data.run.summary.events, data.width / this.#layout.unit);
    const ms = data.axis.toMs(data.us);
    this.#look(zoomed(this.#view, by, ms, data.axis.endMs, most));
  }

  /** @param {number} part */
  #pan(part) {
    if (this.#data) this.#look(panned(this.#view, part, this.#data.axis.endMs));
  }

  /** @param {number} by */
  #walk(by) {
    this.#go(this.#active + by);
  }

  /** To a mark, which comes into sight. @param {number} to */
  #go(to) {
    const data = this.#data;
    if (!data || !this.#layout) return;
    this.#focused = true;
    this.#active = Math.max(0, Math.min(to, this.#count - 1));
    const target = this.#layout.targets[this.#active];
    this.#hover = undefined;
    if (target) {
      this.#view = shown(this.#view, data.axis.toMs(target.at), data.axis.endMs);
    }
    this.#draw();
  }

  /** Chooses a mark; the one that is chosen already is let go. @param {number} place */
  #choose(place) {
    const data = this.#data;
    const target = this.#layout?.targets[place];
    if (!data || !target || place >= this.#count) return;
    data.select(data.selected === target.event ? null : target.event);
    this.#draw();
  }

  /** Escape puts away first what lies in front. @returns {boolean} whether there was something */
  #leave() {
    const data = this.#data;
    const shown = this.#hover !== undefined || this.#focused;
    this.#hover = undefined;
    this.#focused = false;
    if (data && data.selected !== null) data.select(null);
    else if (!shown) return false;
    this.#draw();
    return true;
  }

  /** @param {boolean} focused */
  #focus(focused) {
    if (this.#focused === focused) return;
    this.#focused = focused;
    const selected = this.#data?.selected;
    if (focused && this.#layout && selected !== null && selected !== undefined) {
      const place = placeOf(this.#layout.targets, selected);
      if (place >= 0 && place < this.#count) this.#active = place;
    }
    this.#draw();
  }

  /** @param {PointerEvent} event */
  #place(event) {
    const box = /** @type {HTMLElement} */ (event.currentTarget).getBoundingClientRect();
    const unit = this.#layout?.unit ?? 1;
    const offset = this.#layout?.g.offset(this.#view) ?? 0;
    return {
      x: (event.clientX - box.left) / unit + offset,
      y: (event.clientY - box.top) / unit,
    };
  }

  #point = (/** @type {PointerEvent} */ event) => {
    const { run, axis, us } = this.#data ?? {};
    if (!this.#layout || !run || !axis || us === undefined) return;
    if (this.#drag && this.#view.zoom > 1) {
      const by = (event.clientX - this.#drag.x) / this.#layout.unit;
      if (Math.abs(by) > SLIP) this.#drag.moved = true;
      if (this.#drag.moved) {
        const from = { zoom: this.#view.zoom, from: this.#drag.from };
        this.#look(panned(from, -by / (this.#data?.width ?? 1), axis.endMs));
        return;
      }
    }
    if (event.target instanceof Element && event.target.closest('.tip')) return;
    const { x, y } = this.#place(event);
    const before = this.#hover;
    this.#hover = this.#at(x, y, us);
    if (same(before, this.#hover)) return;
    this.#draw();
  };

  /** What there is at a place. @param {number} x @param {number} y @param {number} us @returns {Hover | undefined} */
  #at(x, y, us) {
    const { targets, picture, g } = /** @type {Layout} */ (this.#layout);
    const mark = markAt(targets, this.#count, g, x, y);
    if (mark >= 0) return { x, mark };
    if (x > g.x(us)) return undefined;
    const bar = barAt(picture, g, x, y);
    const depth = depthAt(picture, g, x, y);
    return bar || depth ? { x, bar, depth } : undefined;
  }

  #unpoint = () => {
    this.#drag = undefined;
    if (!this.#hover) return;
    this.#hover = undefined;
    this.#draw();
  };

  #press = (/** @type {PointerEvent} */ event) => {
    if (event.button !== 0) return;
    this.#drag = { x: event.clientX, from: this.#view.from, moved: false };
  };

  #release = (/** @type {PointerEvent} */ event) => {
    const drag = this.#drag;
    this.#drag = undefined;
    if (!drag || drag.moved || !this.#layout || !this.#data) return;
    if (Math.abs(event.clientX - drag.x) > SLIP) return;
    const { x, y } = this.#place(event);
    const { targets, g, picture } = this.#layout;
    let place = markAt(targets, this.#count, g, x, y);
    if (place < 0) {
      const bar = barAt(picture, g, x, y);
      // A segment is chosen by the event that ends it, while it lasts by the one that began it.
      if (bar) place = this.#markOf(bar);
    }
    if (place < 0) return;
    this.#active = place;
    /** @type {HTMLElement | null} */
    const list = /** @type {HTMLElement} */ (event.currentTarget).querySelector('[role=listbox]');
    list?.focus({ preventScroll: true });
    this.#choose(place);
  };

  /** The mark that stands for a bar. @param {Bar} bar */
  #markOf(bar) {
    const { targets } = /** @type {Layout} */ (this.#layout);
    const at = placeOf(targets, bar.event);
    if (at >= 0 && at < this.#count) return at;
    return targets.findLastIndex(
      (target, i) => i < this.#count && target.job === bar.job && target.at <= bar.start,
    );
  }

  /** @param {TimelineData} data @param {Layout} layout @param {number} offset @returns {Tip | undefined} */
  #tip(data, { targets, g, unit }, offset) {
    const { x = 0, bar, depth, mark = this.#focused ? this.#active : -1 } = this.#hover ?? {};
    const at = (/** @type {number} */ left, /** @type {number} */ top) => ({
      x: (Math.max(left, g.start + offset) - offset) * unit,
      y: top * unit,
    });
    if (bar) {
      const job = data.run.event(bar.event)?.job_id;
      return { ...at(x, g.y(bar.lane) - g.bar / 2), ...aboutBar(bar, job, data.us) };
    }
    if (depth) return { ...at(x, g.y(0) - 10), ...aboutDepth(depth) };
    const target = mark < this.#count ? targets[mark] : undefined;
    const record = target && data.run.event(target.event);
    if (!target || !record || !isShown(this.#view, data.axis.toMs(target.at), data.axis.endMs)) {
      return undefined;
    }
    return { ...at(target.x, target.y - (g.dense ? g.bar / 2 : 18)), ...aboutEvent(record) };
  }
}

/** @param {Hover | undefined} a @param {Hover | undefined} b */
const same = (a, b) => a?.mark === b?.mark && a?.bar === b?.bar && a?.depth === b?.depth;

export const timeline = directive(Timeline);
