// Keys: arrows, space, Page Up and Page Down turn the pages; F or Enter shows one slide at a time; N shows the notes.
// #sheet shows all slides small. A slide that does not hold what is on it gets data-overflow: the build looks for it.
(function () {
    "use strict";
    var frames = Array.prototype.slice.call(document.querySelectorAll(".frame"));
    var now = 0;

    frames.forEach(function (frame) {
        var section = frame.querySelector("section");
        var limit = section.getBoundingClientRect();
        var over = section.scrollHeight > section.clientHeight || section.scrollWidth > section.clientWidth;
        section.querySelectorAll("p, li, td, pre, svg, text, h1, h2").forEach(function (part) {
            var box = part.getBoundingClientRect();
            over = over || box.right > limit.right - 10 || box.left < limit.left || box.bottom > limit.bottom - 4 ||
                (part.tagName === "PRE" && part.scrollWidth > part.clientWidth);
            if (part.tagName === "text") {
                var drawing = part.ownerSVGElement.getBoundingClientRect();
                over = over || box.right > drawing.right + 1 || box.left < drawing.left - 1 ||
                    box.bottom > drawing.bottom + 1;
            }
        });
        var number = section.querySelector(".number").getBoundingClientRect();
        section.querySelectorAll("p:not(.number), li, td, pre, svg").forEach(function (part) {
            var box = part.getBoundingClientRect();
            over = over || (part.tagName !== "P" && part.tagName !== "LI" && box.right > number.left &&
                box.bottom > number.top);
        });
        if (over) section.setAttribute("data-overflow", "1");
    });

    function show(index) {
        now = Math.max(0, Math.min(frames.length - 1, index));
        frames.forEach(function (frame, i) { frame.classList.toggle("now", i === now); });
        var scale = Math.min(window.innerWidth / 1280, window.innerHeight / 720);
        frames[now].style.transform = document.body.classList.contains("show") ? "scale(" + scale + ")" : "";
        if (!document.body.classList.contains("show")) frames[now].scrollIntoView();
    }

    document.addEventListener("keydown", function (event) {
        if (event.key === "ArrowRight" || event.key === " " || event.key === "PageDown") show(now + 1);
        else if (event.key === "ArrowLeft" || event.key === "PageUp") show(now - 1);
        else if (event.key === "Home") show(0);
        else if (event.key === "End") show(frames.length - 1);
        else if (event.key === "n" || event.key === "N") document.body.classList.toggle("notes");
        else if (event.key === "f" || event.key === "F" || event.key === "Enter") {
            frames.forEach(function (frame) { frame.style.transform = ""; });
            document.body.classList.toggle("show");
            show(now);
        } else return;
        event.preventDefault();
    });
    window.addEventListener("resize", function () { show(now); });
    if (location.hash === "#sheet") document.body.classList.add("sheet");
})();
