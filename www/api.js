/**
 * `<at-least-once>`: one experiment as a lab, wherever a page has room for it. This is what a page
 * may use of it; what happens inside is in `element.js`.
 */
import { version } from '../package.json';
import { LabElement } from './element.js';
import { isOn, themeOf } from './options.js';

/**
 * An experiment about a queue that delivers at least once.
 *
 * Every setting of the experiment is an attribute, its path with hyphens
 * (`queue-visibility-timeout="30s"`), and a property (`queueVisibilityTimeout`). What stands
 * between the tags is shown where there is no script, no WebAssembly, and until the lab is there.
 *
 * @tag at-least-once
 * @slot foot - a line of the page's own in the foot of the lab
 * @slot - shown until the lab is there, and where it cannot be: a picture, a table, a link
 * @csspart lab - the lab
 * @csspart notice - what the reader is told above the lab
 * @cssprop --card - the background of the lab
 * @cssprop --ink - its text
 * @cssprop --muted - its less important text
 * @cssprop --edge - its lines
 * @cssprop --sans - its typeface
 * @cssprop --mono - its typeface for code
 */
export class AtLeastOnce extends LabElement {
  /** The version of the element, as of the package. */
  static version = version;

  /** The experiment that is shown. @type {string} @attr experiment @default 'double-refund' */
  get experiment() {
    return this.shown;
  }

  set experiment(id) {
    this.setAttribute('experiment', id);
  }

  /** Its colours; `auto` follows the page's `color-scheme`. @type {'auto' | 'light' | 'dark'} @attr theme @default 'auto' */
  get theme() {
    return themeOf(this.getAttribute('theme'));
  }

  set theme(theme) {
    this.setAttribute('theme', theme);
  }

  /** Which parts are shown, by name; empty for all. @type {string} @attr controls @default '' */
  get controls() {
    return this.getAttribute('controls') ?? '';
  }

  set controls(parts) {
    this.setAttribute('controls', parts);
  }

  /** Which settings the reader cannot change, by path or attribute; `on` for all, empty for none. @type {string} @attr locked @default '' */
  get locked() {
    const text = this.getAttribute('locked');
    return isOn(text) ? text || 'on' : '';
  }

  set locked(settings) {
    this.setAttribute('locked', settings || 'off');
  }

  /** Whether the reader is asked for a prediction. @type {'on' | 'off'} @attr predict @default 'on' */
  get predict() {
    return this.getAttribute('predict') === 'off' ? 'off' : 'on';
  }

  set predict(predict) {
    this.setAttribute('predict', predict);
  }

  /** Whether the run plays as soon as the lab is in view. @type {boolean} @attr autoplay @default false */
  get autoplay() {
    return isOn(this.getAttribute('autoplay'));
  }

  set autoplay(on) {
    this.toggleAttribute('autoplay', on);
  }

  /** Where the one-file build `embed.html` lives, for pages that forbid WebAssembly. @type {string} @attr frame @default '' */
  get frame() {
    return this.getAttribute('frame') ?? '';
  }

  set frame(url) {
    this.setAttribute('frame', url);
  }

  /**
   * What is on the screen as the text of a link, at most 2 KB; giving it one opens it. As an
   * attribute it is what the lab opens with.
   * @type {string} @attr state @default ''
   */
  get state() {
    return this.link || this.getAttribute('state') || '';
  }

  set state(link) {
    this.setAttribute('state', link);
  }

  /** Plays on from the moment shown. @returns {Promise<boolean>} whether it could be done */
  run() {
    return this.act('run');
  }

  /** Stands still. @returns {Promise<boolean>} whether it could be done */
  pause() {
    return this.act('pause');
  }

  /** Goes on by one event. @returns {Promise<boolean>} whether it could be done */
  step() {
    return this.act('step');
  }

  /** Shows a moment. @param {number} us microseconds of simulated time @returns {Promise<boolean>} whether it could be done */
  seek(us) {
    return this.act('seek', us);
  }

  /** Goes back to the start of the run. @returns {Promise<boolean>} whether it could be done */
  reset() {
    return this.act('reset');
  }

  /**
   * Gives a setting a value, as the reader would.
   * @param {string} setting its path, `queue.visibility_timeout`
   * @param {string} value as text
   * @returns {Promise<boolean>} whether it was taken
   */
  set(setting, value) {
    return this.act('set', setting, value);
  }
}
