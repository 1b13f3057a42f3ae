// Browsers refuse workers to pages that were opened from a folder, and the search of the site
// runs in one.  There, run its script in a hidden frame instead.  As with a worker, messages are
// copies and arrive later, so that nobody sees the other side's work half done.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    onmessage = null;

    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => later(data, (copy) => this.receive(copy));
      const script = inside.document.createElement("script");
      script.src = new URL(url, location.href);
      this.loaded = new Promise((resolve) => (script.onload = resolve));
      inside.document.body.append(script);
    }

    postMessage(data) {
      const inside = this.frame.contentWindow;
      const send = (copy) =>
        inside.dispatchEvent(new inside.MessageEvent("message", { data: copy }));
      later(data, (copy) => this.loaded.then(() => send(copy)));
    }

    terminate() {
      this.frame.remove();
    }

    receive(data) {
      const event = new MessageEvent("message", { data });
      this.onmessage?.(event);
      this.dispatchEvent(event);
    }
  };

  function later(data, deliver) {
    const copy = structuredClone(data);
    setTimeout(() => deliver(copy));
  }
}
