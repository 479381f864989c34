/**
 * The timeline at work. It keeps to itself what is only about looking: how large the picture is
 * drawn, and what is pointed at.
 *
 * @import { TimelineData } from '../timeline.js'
 * @import { Bar, Depth } from '../flat.js'
 * @import { Layout } from './layout.js'
 * @import { Tip } from './tip.js'
 * @import { Viewport } from './viewport.js'
 */
import { html } from 'lit';
import { Keys } from './keys.js';
import { layoutOf, prepared } from './layout.js';
import { legend } from './legend.js';
import { marksList } from './list.js';
import { Pointer } from './pointer.js';
import { stage } from './stage.js';
import { barAt, depthAt, happened, markAt, placeOf } from './targets.js';
import { aboutBar, aboutDepth, aboutEvent, tipView } from './tip.js';
import { tools } from './tools.js';
import { followed, isShown, mostZoom, panned, shown, WHOLE, zoomed } from './viewport.js';

export { signs as styles } from '../../styles/signs.js';
export { prepared };

/** @typedef {{ x: number, mark?: number, bar?: Bar | undefined, depth?: Depth | undefined }} Hover */

export class Live {
  #draw;
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

  #pointer = new Pointer({
    point: (x, y) => this.#point(x, y),
    leave: () => this.#point(-1, -1),
    drag: (by, start) => this.#dragTo(by, start),
    take: (x, y) => this.#take(x, y),
  });

  /** @param {() => void} redraw draws the picture again as it was */
  constructor(redraw) {
    this.#draw = redraw;
  }

  /** @param {TimelineData} data */
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
      <div class="timeline-box" .style=${`height:${g.height * unit}px`}
        @pointermove=${this.#pointer.move} @pointerleave=${this.#pointer.leave}
        @pointerdown=${this.#pointer.press} @pointerup=${this.#pointer.release}
        @pointercancel=${this.#pointer.leave}>
        ${stage({ ...data, layout, offset, hovered: this.#hover?.mark ?? -1, redraw: this.#draw })}
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
    data.select(target.event);
    this.#draw();
  }

  /** Escape puts away first what lies in front. @returns {boolean} whether there was something */
  #leave() {
    const data = this.#data;
    const shown = this.#hover !== undefined || this.#focused;
    this.#hover = undefined;
    this.#focused = false;
    if (data && data.selected >= 0) data.select(data.selected);
    else if (!shown) return false;
    this.#draw();
    return true;
  }

  /** @param {boolean} focused */
  #focus(focused) {
    if (this.#focused === focused) return;
    this.#focused = focused;
    const selected = this.#data?.selected ?? -1;
    if (focused && this.#layout && selected >= 0) {
      const place = placeOf(this.#layout.targets, selected);
      if (place >= 0 && place < this.#count) this.#active = place;
    }
    this.#draw();
  }

  /** The pointer is at a place of the picture. @param {number} x @param {number} y */
  #point(x, y) {
    const before = this.#hover;
    this.#hover = this.#at(x, y);
    if (!same(before, this.#hover)) this.#draw();
  }

  /** What there is at a place. @param {number} left @param {number} y @returns {Hover | undefined} */
  #at(left, y) {
    if (!this.#layout || !this.#data || left < 0) return undefined;
    const { targets, picture, g, unit } = this.#layout;
    const x = left / unit + g.offset(this.#view);
    const mark = markAt(targets, this.#count, g, x, y / unit);
    if (mark >= 0) return { x, mark };
    if (x > g.x(this.#data.us)) return undefined;
    const bar = barAt(picture, g, x, y / unit);
    const depth = depthAt(picture, g, x, y / unit);
    return bar || depth ? { x, bar, depth } : undefined;
  }

  /** The picture is moved under the pointer. @param {number} by pixels @param {number} start where it was, in playing time */
  #dragTo(by, start) {
    if (!this.#data || this.#view.zoom === 1) return start;
    const from = { zoom: this.#view.zoom, from: start };
    if (by !== 0) this.#look(panned(from, -by / this.#data.width, this.#data.axis.endMs));
    return by === 0 ? this.#view.from : start;
  }

  /** Chooses what is at a place; a segment by the event that ends it, while it lasts by the one that began it. @param {number} x @param {number} y */
  #take(x, y) {
    const { mark, bar } = this.#at(x, y) ?? {};
    const place = mark ?? (bar ? this.#markOf(bar) : -1);
    if (place < 0) return false;
    this.#active = place;
    this.#choose(place);
    return true;
  }

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
