import { host } from './styles/host.js';
import { lab } from './styles/lab.js';
import { timeline } from './styles/timeline.js';
import { tokens } from './styles/tokens.js';

// Constructable style sheets: a strict content policy forbids <style> in a shadow root.
export const styles = [tokens, host, lab, timeline];
