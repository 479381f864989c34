// In a module of its own, imported first: imports run before the importer's own first line.
performance.mark('at-least-once:start');
