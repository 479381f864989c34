/** The colours and faces, by day and by night: ink on warm paper, paper on ink. */
import { css } from 'lit';

export const tokens = css`
  :host {
    color-scheme: light dark;
    --card: light-dark(#fff, #1c2026);
    --sunk: light-dark(#f6f4ee, #171b20);
    --ink: light-dark(#1b1f27, #ebe8e1);
    --muted: light-dark(#565b69, #a8adb7);
    --edge: light-dark(#dcd9d1, #343a43);
    --control-edge: light-dark(#85888f, #7b818c);
    --lease: light-dark(#0b6aa8, #5db5ea);
    --lease-fill: light-dark(#d3e4f1, #1f3a4d);
    --late-fill: light-dark(#eceae4, #2a3038);
    --once: light-dark(#08694b, #4cc9a0);
    --once-fill: light-dark(#e3f2eb, #143328);
    --again: light-dark(#a83a08, #ff9d6e);
    --again-fill: light-dark(#fdeee6, #3a241b);
    --here: light-dark(#fdf0c4, #3b3413);
    --on-ink: var(--card);
    --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif;
    --mono: ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
  }

  @media (forced-colors: active) {
    :host {
      --card: Canvas;
      --sunk: Canvas;
      --ink: CanvasText;
      --muted: CanvasText;
      --edge: CanvasText;
      --control-edge: ButtonText;
      --lease: LinkText;
      --lease-fill: Canvas;
      --late-fill: Canvas;
      --once: CanvasText;
      --once-fill: Canvas;
      --again: CanvasText;
      --again-fill: Canvas;
      --here: Canvas;
      --on-ink: Canvas;
    }
  }

  @media print {
    :host {
      color-scheme: light;
    }
  }
`;
