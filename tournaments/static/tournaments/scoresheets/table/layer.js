// Draws on top of what the server sent, and can take all of it off again.

export class Layer {
  #originals = new Map();

  // The element, to be changed: what it is now comes back with `lift`.
  over(element) {
    if (element && !this.#originals.has(element)) {
      const { className, hidden } = element;
      const nodes = [...element.childNodes].map((node) => node.cloneNode(true));
      this.#originals.set(element, { nodes, className, hidden });
    }
    return element;
  }

  lift() {
    for (const [element, { nodes, className, hidden }] of this.#originals) {
      if (!element.isConnected) continue;
      element.replaceChildren(...nodes);
      Object.assign(element, { className, hidden });
    }
    this.#originals.clear();
  }
}
